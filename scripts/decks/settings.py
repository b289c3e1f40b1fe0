"""Run settings as .mdp text."""


def mdp(comment, **keys):
    lines = [f"; {comment}"] if comment else []
    return "\n".join(lines + [f"{key.replace('_', '-'):<24} = {value}" for key, value in keys.items()]) + "\n"


PME = dict(coulombtype="PME", rcoulomb=0.9, rvdw=0.9, fourierspacing=0.12, pme_order=4, ewald_rtol="1e-5")
THERMOSTAT = dict(tcoupl="v-rescale", tc_grps="System", tau_t=0.1)
OUTPUT = dict(nstxout=1000, nstvout=1000, nstenergy=100, nstcalcenergy=100, nstlog=1000)
SEEDS = dict(gen_seed=20261, ld_seed=20262)


def start(velocities, temperature):
    return dict(gen_vel="no") if velocities else dict(gen_vel="yes", gen_temp=temperature, gen_seed=SEEDS["gen_seed"])


def nvt(comment, velocities, dt=0.002, nsteps=50000, temperature=300, **more):
    return mdp(comment, integrator="md", dt=dt, nsteps=nsteps, nstlist=10, **{**PME, "DispCorr": "EnerPres", **more},
               **THERMOSTAT, ref_t=temperature, ld_seed=SEEDS["ld_seed"], **start(velocities, temperature), **OUTPUT)


def nve(comment, velocities, dt=0.002, nsteps=50000, temperature=300, **more):
    return mdp(comment, integrator="md", dt=dt, nsteps=nsteps, nstlist=10, **{**PME, "DispCorr": "EnerPres", **more},
               tcoupl="no", **start(velocities, temperature), **OUTPUT)


def relax(temperature, dt, **more):
    """The first femtoseconds from a lattice: short steps, velocities drawn anew, coupling strong enough to take the heat of falling into
    place away. Minimizing first is no help: steepest descent makes long steps, which rigid water does not survive."""
    return mdp("from a lattice into contact", integrator="md", dt=dt, nsteps=2000, nstlist=10, **{**PME, **more}, tcoupl="berendsen",
               tc_grps="System", tau_t=0.02, ref_t=temperature, gen_vel="yes", gen_temp=temperature, **SEEDS, nstlog=1000, nstenergy=100)


def melt(temperature, dt, **more):
    """The picoseconds after that."""
    return mdp("from contact to a liquid", integrator="md", dt=dt, nsteps=5000, nstlist=10, **{**PME, **more}, tcoupl="berendsen",
               tc_grps="System", tau_t=0.05, ref_t=temperature, gen_vel="no", nstlog=1000, nstenergy=100)
