#!/usr/bin/env python3
"""ns/day of 1 to 4096 ranks or GPUs by docs/scaling.md: what a rank computes, what it sends, and what that takes on a network.

Every rate is an input; the defaults are one core of 2023 with AVX2 and ranks that share memory. A rank's step is the sum of its parts, as
nothing is taken to overlap, so the table errs on the slow side.

usage: scripts/scaling_model.py [--atoms 24000 1000000 100000000] [--ranks 1 2 4 ...] [--pair-rate R] [--latency US] [--bandwidth GB/S] ...
       scripts/scaling_model.py --gpu      rates of an H200 by docs/gpu.md (worked out there, not measured) and of a 400 Gbit/s network
"""
import argparse
import math

DENSITY = 100.0  # atoms a nm^3, of water
CLUSTER = 8


def layout(ranks, edge, reach, layers):
    """Domains along a, b and c, as domain::chooseDomains has them: one-sided along a, two-sided along b, whole layers along c."""
    columns = max(1, round(edge / (CLUSTER / DENSITY) ** (1 / 3)))
    layer = edge / layers
    best = None
    for a in range(1, min(ranks, columns) + 1):
        for b in range(1, min(ranks // a, columns) + 1):
            c = ranks // (a * b)
            if a * b * c != ranks or c > layers:
                continue
            wa, wb, wc = edge / a, edge / b, edge / c
            border = reach * ((wb if a > 1 else 0) + (2 * wa if b > 1 else 0))
            seen = border * wc if c == 1 else border * min(edge, wc + 2 * layer) + wa * wb * layer
            if best is None or seen <= best[0] * (1 + 1e-9):
                best = (seen, a, b, c)
    if best is None:
        return None
    _, a, b, c = best
    column = edge / columns
    wide = math.ceil(reach / column) * column
    wa, wb, wc = edge / a, edge / b, edge / c
    section = (min(wide, edge - wa) * min(edge, wb + 2 * wide) + (1 - 1 / a) * 3 * wide * column if a > 1 else 0) + (min((2 - 1 / b) * wide, edge - wb) * wa if b > 1 else 0)
    seen = section * edge if c == 1 else section * min(edge, wc + 2 * layer) + wa * wb * layer
    across = (math.ceil(wide / wa) * (1 + 2 * math.ceil(wide / wb)) if a > 1 else 0) + (2 * math.ceil(wide / wb) if b > 1 else 0)
    above = 0 if c == 1 else math.ceil(layer / wc)
    peers = min(ranks - 1, across * min(c, 1 + 2 * above) + min(c - 1, 2 * above))
    return (a, b, c), seen * DENSITY, peers


def pencils(ranks, points):
    """Shares of the grid along x and z: slabs while there are planes."""
    for p1 in range(min(ranks, points // 2), 0, -1):
        if ranks % p1 == 0 and ranks // p1 <= max(1, points // 16):
            return p1, ranks // p1
    return None


def step(atoms, ranks, r):
    """Seconds, messages and bytes of one rank's step; None where the layout cannot work."""
    edge = (atoms / DENSITY) ** (1 / 3)
    points = math.ceil(edge / r.spacing)
    reach = r.cutoff + r.buffer
    layers = 1 if r.gpu else max(1, int(edge / max(5.0, 4 * reach)))
    found, shares = layout(ranks, edge, reach, layers), pencils(ranks, points)
    if found is None or shares is None:
        return None
    domains, seen, peers = found
    p1, p2 = shares
    mine = atoms / ranks
    waves = 8 * (points // 2 + 1) * points * points / ranks
    margin = r.order - 1
    turns = 2 * waves * ((p1 - 1) / p1 + (p2 - 1) / p2)
    margins = 2 * 4 * margin * ((points + margin) * points / p2 * (p1 > 1) + (points + margin) * points / p1 * (p2 > 1))
    # atoms whose plane of the grid is another's: all but the overlap of a slab of domains with a slab of the grid
    away = 0 if ranks == 1 else 1 - min(1.0, domains[0] / p1) * min(1.0, 1 / domains[1]) if domains[1] > 1 else 1 / (2 * domains[0])
    handed = 28 * mine * away
    size = 36 * seen + turns + margins + handed
    messages = 0 if ranks == 1 else 2 * peers + 2 * (p1 > 1) + 2 * (p2 > 1) + 2 * (p1 - 1) + 2 * (p2 - 1) + 2 * min(ranks - 1, 4)
    compute = mine / r.pair_rate + mine / r.pme_rate + points**3 * math.log2(points**3) * 5 / ranks / r.fft_rate + 0.3 * seen / r.pair_rate
    reductions = 0 if ranks == 1 else math.ceil(math.log2(ranks)) * r.latency * 1e-6 * 0.3
    return compute + messages * r.latency * 1e-6 + size / (r.bandwidth * 1e9) + reductions + r.overhead * 1e-6, messages, size


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--atoms", type=float, nargs="+", default=[24e3, 1e6, 100e6])
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096])
    parser.add_argument("--gpu", action="store_true")
    for name, core, gpu, unit in (("pair-rate", 9e6, 4.8e8, "atoms a second: pairs, bonded terms, update"),
                                  ("pme-rate", 3e7, 3.3e9, "atoms a second: spreading and gathering"),
                                  ("fft-rate", 1e10, 2e12, "flop/s of both transforms and what is between"),
                                  ("latency", 1.0, 3.0, "us a message"), ("bandwidth", 4.0, 45.0, "GB/s of one rank"),
                                  ("overhead", 20.0, 30.0, "us a step that nothing shortens"), ("cutoff", 0.9, 0.9, "nm"),
                                  ("buffer", 0.1, 0.1, "nm"), ("spacing", 0.12, 0.12, "nm of the grid"), ("order", 4, 4, "of splines"),
                                  ("dt", 2.0, 4.0, "fs")):
        parser.add_argument(f"--{name}", type=float, default=None, help=f"{unit} ({core:g}; --gpu {gpu:g})")
        parser.set_defaults(**{f"{name}_defaults".replace("-", "_"): (core, gpu)})
    r = parser.parse_args()
    for name in [key[:-9] for key in vars(r) if key.endswith("_defaults")]:
        if getattr(r, name) is None:
            setattr(r, name, getattr(r, f"{name}_defaults")[1 if r.gpu else 0])
    r.order = int(r.order)
    print(f"{'ranks':>6}" + "".join(f"{f'{n:.3g} atoms':>16}{'efficiency':>12}{'messages':>10}{'kB':>10}" for n in r.atoms))
    single = {n: step(n, 1, r)[0] for n in r.atoms}
    for ranks in r.ranks:
        line = f"{ranks:>6}"
        for n in r.atoms:
            found = step(n, ranks, r)
            if found is None:
                line += f"{'too small':>16}{'':>12}{'':>10}{'':>10}"
                continue
            seconds, messages, size = found
            line += f"{86400 * r.dt * 1e-6 / seconds:>11.4g} ns/d{single[n] / seconds / ranks:>12.2f}{messages:>10.0f}{size / 1e3:>10.4g}"
        print(line)


if __name__ == "__main__":
    main()
