"""Reading and writing .gro files of any precision."""


def write(path, title, atoms, box, velocities=None, decimals=3):
    """atoms: (residue number, residue name, atom name, (x, y, z)). Numbers wrap at 99999, as the format has five columns for them."""
    width = decimals + 5
    with open(path, "w") as out:
        out.write(f"{title}\n{len(atoms)}\n")
        for i, (number, residue, name, r) in enumerate(atoms):
            line = f"{number % 100000:5d}{residue:<5.5s}{name:>5.5s}{(i + 1) % 100000:5d}"
            line += "".join(f"{x:{width}.{decimals}f}" for x in r)
            if velocities:
                line += "".join(f"{x:{width}.{decimals + 1}f}" for x in velocities[i])
            out.write(line + "\n")
        (ax, _, _), (bx, by, _), (cx, cy, cz) = box
        edges = [ax, by, cz]
        if bx or cx or cy:
            edges += [0.0, 0.0, bx, 0.0, cx, cy]
        out.write(" ".join(f"{x:.{max(decimals, 5)}f}" for x in edges) + "\n")


def read(path):
    """title, atoms as write() takes them, box, velocities or None."""
    lines = open(path).read().splitlines()
    count = int(lines[1])
    first = lines[2]
    dot = first.index(".", 20)
    width = first.index(".", dot + 1) - dot
    atoms, velocities = [], []
    for line in lines[2:2 + count]:
        numbers = [float(line[20 + k * width:20 + (k + 1) * width]) for k in range((len(line) - 20) // width)]
        atoms.append((int(line[:5]), line[5:10].strip(), line[10:15].strip(), tuple(numbers[:3])))
        if len(numbers) >= 6:
            velocities.append(tuple(numbers[3:6]))
    e = [float(x) for x in lines[2 + count].split()] + [0.0] * 6
    box = [(e[0], 0.0, 0.0), (e[5], e[1], 0.0), (e[7], e[8], e[2])]
    return lines[0], atoms, box, velocities if len(velocities) == count else None
