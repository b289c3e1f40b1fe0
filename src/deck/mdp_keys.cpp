#include "deck/mdp_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>

namespace alder::deck {

namespace {

using enum Verdict;
using F = Form;

constexpr std::string_view yesNo = "no yes";
constexpr std::string_view modifiers = "Potential-shift None Potential-shift-Verlet Potential-switch Exact-cutoff Force-switch";
constexpr std::string_view couplings = "vdw-q vdw q none";

// clang-format off
// A plain array: std::array's deduction guide would be one fold expression of all rows, which clang does not nest so deep.
constexpr KeyInfo rows[] = {
    // preprocessing
    KeyInfo{"include", done, F::text, "", "", "folders for `#include`: `-I../top`"},
    KeyInfo{"define", done, F::text, "", "", "macros for the topology: `-DFLEXIBLE`"},
    // run control
    KeyInfo{"integrator", done, F::word, "md steep cg bd sd nm l-bfgs tpi tpic md-vv md-vv-avek mimic", "", "`mdrun` runs md, md-vv, sd, bd, steep, cg and l-bfgs; `energy` takes any"},
    KeyInfo{"tinit", done, F::real, "", "", ""},
    KeyInfo{"dt", done, F::real, "", "", ""},
    KeyInfo{"nsteps", done, F::integer, "", "", "-1: no end"},
    KeyInfo{"init-step", done, F::integer, "", "", ""},
    KeyInfo{"simulation-part", noEffect, F::integer, "", "", "parts are told apart by the checkpoint"},
    KeyInfo{"mts", done, F::word, yesNo, "", "multiple time steps, with md and sd: see Couplings and integrators"},
    KeyInfo{"mts-levels", done, F::integer, "", "", "2"},
    KeyInfo{"mts-level2-forces", done, F::text, "", "", "longrange-nonbonded nonbonded pair dihedral angle (pull, awh)"},
    KeyInfo{"mts-level2-factor", done, F::integer, "", "", ""},
    KeyInfo{"mass-repartition-factor", done, F::real, "", "", "GROMACS 2024; rigid water too"},
    KeyInfo{"comm-mode", done, F::word, "Linear Angular Linear-acceleration-correction None", "", "`mdrun` runs Linear and None"},
    KeyInfo{"nstcomm", done, F::integer, "", "", ""},
    KeyInfo{"comm-grps", done, F::text, "", "", "`mdrun` removes the motion of the whole system only"},
    KeyInfo{"bd-fric", done, F::real, "", "", "0: the mass over tau-t"},
    KeyInfo{"ld-seed", done, F::integer, "", "", "seed of stochastic coupling and dynamics"},
    // minimization
    KeyInfo{"emtol", done, F::real, "", "", ""},
    KeyInfo{"emstep", done, F::real, "", "", ""},
    KeyInfo{"niter", noEffect, F::integer, "", "", "belongs to shells and flexible constraints, which are refused"},
    KeyInfo{"fcstep", noEffect, F::real, "", "", "belongs to flexible constraints, which are refused"},
    KeyInfo{"nstcgsteep", done, F::integer, "", "", "of cg; 0 or less: never"},
    KeyInfo{"nbfgscorr", done, F::integer, "", "", "of l-bfgs"},
    KeyInfo{"rtpi", noEffect, F::real, "", "", "belongs to integrator = tpi"},
    // output
    KeyInfo{"nstxout", done, F::integer, "", "", "see Output"},
    KeyInfo{"nstvout", done, F::integer, "", "", "see Output"},
    KeyInfo{"nstfout", done, F::integer, "", "", "see Output"},
    KeyInfo{"nstlog", done, F::integer, "", "", ""},
    KeyInfo{"nstcalcenergy", done, F::integer, "", "", ""},
    KeyInfo{"nstenergy", done, F::integer, "", "", ""},
    KeyInfo{"nstxout-compressed", done, F::integer, "", "", "see Output"},
    KeyInfo{"compressed-x-precision", noEffect, F::real, "", "", "frames hold single precision"},
    KeyInfo{"compressed-x-grps", noEffect, F::text, "", "", "frames hold all atoms; the groups must exist"},
    KeyInfo{"energygrps", noEffect, F::text, "", "", "`energy` tells pair energies apart by group, `mdrun` does not"},
    // pair list and cut-offs
    KeyInfo{"cutoff-scheme", refused, F::word, "Verlet group", "verlet", "GROMACS dropped the group scheme in 2020"},
    KeyInfo{"nstlist", done, F::integer, "", "", ""},
    KeyInfo{"pbc", done, F::word, "xyz no xy screw", "", "xyz only; GROMACS refuses no, and xy without walls"},
    KeyInfo{"periodic-molecules", refused, F::word, yesNo, "no", "molecules bonded to their own image"},
    KeyInfo{"verlet-buffer-tolerance", done, F::real, "", "", "-1: rlist as given"},
    KeyInfo{"verlet-buffer-pressure-tolerance", noEffect, F::real, "", "", "GROMACS 2024"},
    KeyInfo{"rlist", done, F::real, "", "", "obeyed where verlet-buffer-tolerance is negative"},
    KeyInfo{"coulombtype", done, F::word, "Cut-off Reaction-Field PME Ewald P3M-AD Poisson Switch Shift User PME-Switch PME-User PME-User-Switch "
        "Reaction-Field-zero Reaction-Field-nec Encad-shift Generalized-Reaction-Field FMM", "", "Cut-off, Reaction-Field, Reaction-Field-zero, PME"},
    KeyInfo{"coulomb-modifier", done, F::word, modifiers, "", "Potential-shift, None"},
    KeyInfo{"rcoulomb-switch", noEffect, F::real, "", "", "belongs to switched Coulomb, which is refused"},
    KeyInfo{"rcoulomb", done, F::real, "", "", ""},
    KeyInfo{"epsilon-r", done, F::real, "", "", ""},
    KeyInfo{"epsilon-rf", done, F::real, "", "", "0: infinite"},
    KeyInfo{"vdwtype", done, F::word, "Cut-off Switch Shift User Encad-shift PME", "", "Cut-off, PME; Shift and Switch as GROMACS replaces them"},
    KeyInfo{"vdw-modifier", done, F::word, modifiers, "", "all but Exact-cutoff, which GROMACS runs as None"},
    KeyInfo{"rvdw-switch", done, F::real, "", "", ""},
    KeyInfo{"rvdw", done, F::real, "", "", ""},
    KeyInfo{"dispcorr", done, F::word, "No EnerPres Ener AllEnerPres AllEner", "", ""},
    KeyInfo{"table-extension", noEffect, F::real, "", "", "belongs to tables"},
    KeyInfo{"energygrp-table", refused, F::text, "", "", "tabulated potentials"},
    // Ewald
    KeyInfo{"fourierspacing", done, F::real, "", "", ""},
    KeyInfo{"fourier-nx", done, F::integer, "", "", ""},
    KeyInfo{"fourier-ny", done, F::integer, "", "", ""},
    KeyInfo{"fourier-nz", done, F::integer, "", "", ""},
    KeyInfo{"pme-order", done, F::integer, "", "", "3 to 8"},
    KeyInfo{"ewald-rtol", done, F::real, "", "", ""},
    KeyInfo{"ewald-rtol-lj", done, F::real, "", "", ""},
    KeyInfo{"lj-pme-comb-rule", done, F::word, "Geometric Lorentz-Berthelot", "", ""},
    KeyInfo{"ewald-geometry", done, F::word, "3d 3dc", "", ""},
    KeyInfo{"epsilon-surface", done, F::real, "", "", "belongs to PME; molecules must be neutral"},
    // temperature
    KeyInfo{"ensemble-temperature-setting", noEffect, F::word, "auto not-available constant variable simulated-tempering", "", "GROMACS 2023"},
    KeyInfo{"ensemble-temperature", noEffect, F::real, "", "", "GROMACS 2023"},
    KeyInfo{"tcoupl", done, F::word, "No Berendsen Nose-Hoover yes Andersen Andersen-massive V-rescale", "", "`mdrun` runs V-rescale, Nose-Hoover and Berendsen (yes)"},
    KeyInfo{"nsttcouple", done, F::integer, "", "", ""},
    KeyInfo{"nh-chain-length", done, F::integer, "", "", "of md-vv; leap-frog has chains of one, as in GROMACS"},
    KeyInfo{"print-nose-hoover-chain-variables", noEffect, F::word, yesNo, "", "belongs to tcoupl = Nose-Hoover"},
    KeyInfo{"tc-grps", done, F::text, "", "", ""},
    KeyInfo{"tau-t", done, F::reals, "", "", ""},
    KeyInfo{"ref-t", done, F::reals, "", "", ""},
    // pressure
    KeyInfo{"pcoupl", done, F::word, "No Berendsen Parrinello-Rahman Isotropic MTTK C-rescale", "", "`mdrun` runs all but MTTK; see Pressure"},
    KeyInfo{"pcoupltype", done, F::word, "Isotropic Semiisotropic Anisotropic Surface-Tension", "", "no C-rescale with Anisotropic"},
    KeyInfo{"nstpcouple", done, F::integer, "", "", ""},
    KeyInfo{"tau-p", done, F::real, "", "", ""},
    KeyInfo{"compressibility", done, F::reals, "", "", ""},
    KeyInfo{"ref-p", done, F::reals, "", "", ""},
    KeyInfo{"refcoord-scaling", done, F::word, "No All COM", "", "of the references of position restraints"},
    // annealing and velocities
    KeyInfo{"annealing", done, F::text, "", "", "as many words as groups"},
    KeyInfo{"annealing-npoints", done, F::reals, "", "", ""},
    KeyInfo{"annealing-time", done, F::reals, "", "", ""},
    KeyInfo{"annealing-temp", done, F::reals, "", "", ""},
    KeyInfo{"gen-vel", done, F::word, yesNo, "", ""},
    KeyInfo{"gen-temp", done, F::real, "", "", ""},
    KeyInfo{"gen-seed", done, F::integer, "", "", ""},
    // constraints
    KeyInfo{"constraints", done, F::word, "none h-bonds all-bonds h-angles all-angles", "", "none, h-bonds, all-bonds"},
    KeyInfo{"constraint-algorithm", done, F::word, "Lincs Shake", "", ""},
    KeyInfo{"continuation", done, F::word, yesNo, "", ""},
    KeyInfo{"shake-sor", noEffect, F::word, yesNo, "", "speed of SHAKE alone"},
    KeyInfo{"shake-tol", done, F::real, "", "", ""},
    KeyInfo{"lincs-order", done, F::integer, "", "", ""},
    KeyInfo{"lincs-iter", done, F::integer, "", "", "more where a bond is off by more than 1e-3"},
    KeyInfo{"lincs-warnangle", noEffect, F::real, "", "", "no bond is left more than 1e-3 from its length, however far it turned"},
    KeyInfo{"morse", refused, F::word, yesNo, "no", "harmonic bonds as Morse potentials"},
    KeyInfo{"energygrp-excl", refused, F::text, "", "", "exclusions between energy groups"},
    // walls
    KeyInfo{"nwall", refused, F::integer, "", "0", "walls"},
    KeyInfo{"wall-type", noEffect, F::word, "9-3 10-4 table 12-6", "", "belongs to nwall"},
    KeyInfo{"wall-r-linpot", noEffect, F::real, "", "", "belongs to nwall"},
    KeyInfo{"wall-atomtype", noEffect, F::text, "", "", "belongs to nwall"},
    KeyInfo{"wall-density", noEffect, F::text, "", "", "belongs to nwall"},
    KeyInfo{"wall-ewald-zfac", noEffect, F::real, "", "", "belongs to nwall"},
    // pulling, biasing, rotation
    KeyInfo{"pull", refused, F::word, yesNo, "no", "center-of-mass pulling"},
    KeyInfo{"pull-print-com", noEffect, F::text, "", "", "belongs to pull"},
    KeyInfo{"pull-print-com#", noEffect, F::text, "", "", "belongs to pull"},
    KeyInfo{"pull-cylinder-r", noEffect, F::real, "", "", "belongs to pull"},
    KeyInfo{"pull-constr-tol", noEffect, F::real, "", "", "belongs to pull"},
    KeyInfo{"pull-print-ref-value", noEffect, F::text, "", "", "belongs to pull"},
    KeyInfo{"pull-print-components", noEffect, F::text, "", "", "belongs to pull"},
    KeyInfo{"pull-nstxout", noEffect, F::integer, "", "", "belongs to pull"},
    KeyInfo{"pull-nstfout", noEffect, F::integer, "", "", "belongs to pull"},
    KeyInfo{"pull-xout-average", noEffect, F::text, "", "", "belongs to pull"},
    KeyInfo{"pull-fout-average", noEffect, F::text, "", "", "belongs to pull"},
    KeyInfo{"pull-pbc-ref-prev-step-com", noEffect, F::text, "", "", "belongs to pull"},
    KeyInfo{"pull-ngroups", noEffect, F::integer, "", "", "belongs to pull"},
    KeyInfo{"pull-ncoords", noEffect, F::integer, "", "", "belongs to pull"},
    KeyInfo{"pull-group#-name", noEffect, F::text, "", "", "belongs to pull"},
    KeyInfo{"pull-group#-weights", noEffect, F::text, "", "", "belongs to pull"},
    KeyInfo{"pull-group#-pbcatom", noEffect, F::text, "", "", "belongs to pull"},
    KeyInfo{"pull-coord#-type", noEffect, F::text, "", "", "belongs to pull"},
    KeyInfo{"pull-coord#-potential-provider", noEffect, F::text, "", "", "belongs to pull"},
    KeyInfo{"pull-coord#-expression", noEffect, F::text, "", "", "belongs to pull"},
    KeyInfo{"pull-coord#-dx", noEffect, F::text, "", "", "belongs to pull"},
    KeyInfo{"pull-coord#-geometry", noEffect, F::text, "", "", "belongs to pull"},
    KeyInfo{"pull-coord#-groups", noEffect, F::text, "", "", "belongs to pull"},
    KeyInfo{"pull-coord#-dim", noEffect, F::text, "", "", "belongs to pull"},
    KeyInfo{"pull-coord#-origin", noEffect, F::text, "", "", "belongs to pull"},
    KeyInfo{"pull-coord#-vec", noEffect, F::text, "", "", "belongs to pull"},
    KeyInfo{"pull-coord#-start", noEffect, F::text, "", "", "belongs to pull"},
    KeyInfo{"pull-coord#-init", noEffect, F::text, "", "", "belongs to pull"},
    KeyInfo{"pull-coord#-rate", noEffect, F::text, "", "", "belongs to pull"},
    KeyInfo{"pull-coord#-k", noEffect, F::text, "", "", "belongs to pull"},
    KeyInfo{"pull-coord#-kb", noEffect, F::text, "", "", "belongs to pull"},
    KeyInfo{"awh", refused, F::word, yesNo, "no", "accelerated weight histogram"},
    KeyInfo{"awh-potential", noEffect, F::text, "", "", "belongs to awh"},
    KeyInfo{"awh-seed", noEffect, F::integer, "", "", "belongs to awh"},
    KeyInfo{"awh-nstout", noEffect, F::integer, "", "", "belongs to awh"},
    KeyInfo{"awh-nstsample", noEffect, F::integer, "", "", "belongs to awh"},
    KeyInfo{"awh-nsamples-update", noEffect, F::integer, "", "", "belongs to awh"},
    KeyInfo{"awh-share-multisim", noEffect, F::text, "", "", "belongs to awh"},
    KeyInfo{"awh-share-bias-multisim", noEffect, F::text, "", "", "belongs to awh"},
    KeyInfo{"awh-nbias", noEffect, F::integer, "", "", "belongs to awh"},
    KeyInfo{"awh#-error-init", noEffect, F::text, "", "", "belongs to awh"},
    KeyInfo{"awh#-growth", noEffect, F::text, "", "", "belongs to awh"},
    KeyInfo{"awh#-growth-factor", noEffect, F::text, "", "", "belongs to awh"},
    KeyInfo{"awh#-equilibrate-histogram", noEffect, F::text, "", "", "belongs to awh"},
    KeyInfo{"awh#-target", noEffect, F::text, "", "", "belongs to awh"},
    KeyInfo{"awh#-target-beta-scaling", noEffect, F::text, "", "", "belongs to awh"},
    KeyInfo{"awh#-target-cutoff", noEffect, F::text, "", "", "belongs to awh"},
    KeyInfo{"awh#-target-metric-scaling", noEffect, F::text, "", "", "belongs to awh"},
    KeyInfo{"awh#-target-metric-scaling-limit", noEffect, F::text, "", "", "belongs to awh"},
    KeyInfo{"awh#-user-data", noEffect, F::text, "", "", "belongs to awh"},
    KeyInfo{"awh#-share-group", noEffect, F::text, "", "", "belongs to awh"},
    KeyInfo{"awh#-ndim", noEffect, F::text, "", "", "belongs to awh"},
    KeyInfo{"awh#-dim#-coord-provider", noEffect, F::text, "", "", "belongs to awh"},
    KeyInfo{"awh#-dim#-coord-index", noEffect, F::text, "", "", "belongs to awh"},
    KeyInfo{"awh#-dim#-start", noEffect, F::text, "", "", "belongs to awh"},
    KeyInfo{"awh#-dim#-end", noEffect, F::text, "", "", "belongs to awh"},
    KeyInfo{"awh#-dim#-period", noEffect, F::text, "", "", "belongs to awh"},
    KeyInfo{"awh#-dim#-force-constant", noEffect, F::text, "", "", "belongs to awh"},
    KeyInfo{"awh#-dim#-diffusion", noEffect, F::text, "", "", "belongs to awh"},
    KeyInfo{"awh#-dim#-cover-diameter", noEffect, F::text, "", "", "belongs to awh"},
    KeyInfo{"rotation", refused, F::word, yesNo, "no", "enforced rotation"},
    KeyInfo{"rot-nstrout", noEffect, F::integer, "", "", "belongs to rotation"},
    KeyInfo{"rot-nstsout", noEffect, F::integer, "", "", "belongs to rotation"},
    KeyInfo{"rot-ngroups", noEffect, F::integer, "", "", "belongs to rotation"},
    KeyInfo{"rot-group#", noEffect, F::text, "", "", "belongs to rotation"},
    KeyInfo{"rot-type#", noEffect, F::text, "", "", "belongs to rotation"},
    KeyInfo{"rot-massw#", noEffect, F::text, "", "", "belongs to rotation"},
    KeyInfo{"rot-vec#", noEffect, F::text, "", "", "belongs to rotation"},
    KeyInfo{"rot-pivot#", noEffect, F::text, "", "", "belongs to rotation"},
    KeyInfo{"rot-rate#", noEffect, F::text, "", "", "belongs to rotation"},
    KeyInfo{"rot-k#", noEffect, F::text, "", "", "belongs to rotation"},
    KeyInfo{"rot-slab-dist#", noEffect, F::text, "", "", "belongs to rotation"},
    KeyInfo{"rot-min-gauss#", noEffect, F::text, "", "", "belongs to rotation"},
    KeyInfo{"rot-eps#", noEffect, F::text, "", "", "belongs to rotation"},
    KeyInfo{"rot-fit-method#", noEffect, F::text, "", "", "belongs to rotation"},
    KeyInfo{"rot-potfit-nsteps#", noEffect, F::text, "", "", "belongs to rotation"},
    KeyInfo{"rot-potfit-step#", noEffect, F::text, "", "", "belongs to rotation"},
    KeyInfo{"imd-group", runOnly, F::text, "", "", "interactive dynamics"},
    // NMR refinement
    KeyInfo{"disre", done, F::word, "No Simple Ensemble", "", "No: distance restraints of the topology are left out; not Ensemble"},
    KeyInfo{"disre-weighting", done, F::word, "Conservative Equal", "", ""},
    KeyInfo{"disre-mixed", noEffect, F::word, yesNo, "", "belongs to averages over time"},
    KeyInfo{"disre-fc", done, F::real, "", "", ""},
    KeyInfo{"disre-tau", done, F::real, "", "", "0 only: no averages over time"},
    KeyInfo{"nstdisreout", noEffect, F::integer, "", "", "pairs are not written one by one"},
    KeyInfo{"orire", refused, F::word, yesNo, "no", "orientation restraints"},
    KeyInfo{"orire-fc", noEffect, F::real, "", "", "belongs to orire"},
    KeyInfo{"orire-tau", noEffect, F::real, "", "", "belongs to orire"},
    KeyInfo{"orire-fitgrp", noEffect, F::text, "", "", "belongs to orire"},
    KeyInfo{"nstorireout", noEffect, F::integer, "", "", "belongs to orire"},
    // free energy
    KeyInfo{"free-energy", refused, F::word, "no yes expanded", "no", "free-energy perturbation"},
    KeyInfo{"couple-moltype", noEffect, F::text, "", "", "belongs to free-energy"},
    KeyInfo{"couple-lambda0", noEffect, F::word, couplings, "", "belongs to free-energy"},
    KeyInfo{"couple-lambda1", noEffect, F::word, couplings, "", "belongs to free-energy"},
    KeyInfo{"couple-intramol", noEffect, F::word, yesNo, "", "belongs to free-energy"},
    KeyInfo{"init-lambda", noEffect, F::real, "", "", "belongs to free-energy"},
    KeyInfo{"init-lambda-state", noEffect, F::integer, "", "", "belongs to free-energy"},
    KeyInfo{"delta-lambda", noEffect, F::real, "", "", "belongs to free-energy"},
    KeyInfo{"nstdhdl", noEffect, F::integer, "", "", "belongs to free-energy"},
    KeyInfo{"fep-lambdas", noEffect, F::reals, "", "", "belongs to free-energy"},
    KeyInfo{"mass-lambdas", noEffect, F::reals, "", "", "belongs to free-energy"},
    KeyInfo{"coul-lambdas", noEffect, F::reals, "", "", "belongs to free-energy"},
    KeyInfo{"vdw-lambdas", noEffect, F::reals, "", "", "belongs to free-energy"},
    KeyInfo{"bonded-lambdas", noEffect, F::reals, "", "", "belongs to free-energy"},
    KeyInfo{"restraint-lambdas", noEffect, F::reals, "", "", "belongs to free-energy"},
    KeyInfo{"temperature-lambdas", noEffect, F::reals, "", "", "belongs to free-energy"},
    KeyInfo{"calc-lambda-neighbors", noEffect, F::integer, "", "", "belongs to free-energy"},
    KeyInfo{"init-lambda-weights", noEffect, F::reals, "", "", "belongs to free-energy"},
    KeyInfo{"init-lambda-counts", noEffect, F::reals, "", "", "belongs to free-energy; GROMACS 2024"},
    KeyInfo{"init-wl-histogram-counts", noEffect, F::reals, "", "", "belongs to free-energy; GROMACS 2024"},
    KeyInfo{"dhdl-print-energy", noEffect, F::word, "no total potential yes", "", "belongs to free-energy"},
    KeyInfo{"sc-function", noEffect, F::word, "beutler gapsys", "", "belongs to free-energy"},
    KeyInfo{"sc-alpha", noEffect, F::real, "", "", "belongs to free-energy"},
    KeyInfo{"sc-power", noEffect, F::integer, "", "", "belongs to free-energy"},
    KeyInfo{"sc-r-power", noEffect, F::real, "", "", "belongs to free-energy"},
    KeyInfo{"sc-sigma", noEffect, F::real, "", "", "belongs to free-energy"},
    KeyInfo{"sc-coul", noEffect, F::word, yesNo, "", "belongs to free-energy"},
    KeyInfo{"sc-gapsys-scale-linpoint-lj", noEffect, F::real, "", "", "belongs to free-energy"},
    KeyInfo{"sc-gapsys-scale-linpoint-q", noEffect, F::real, "", "", "belongs to free-energy"},
    KeyInfo{"sc-gapsys-sigma-lj", noEffect, F::real, "", "", "belongs to free-energy"},
    KeyInfo{"separate-dhdl-file", noEffect, F::word, "yes no", "", "belongs to free-energy"},
    KeyInfo{"dhdl-derivatives", noEffect, F::word, "yes no", "", "belongs to free-energy"},
    KeyInfo{"dh-hist-size", noEffect, F::integer, "", "", "belongs to free-energy"},
    KeyInfo{"dh-hist-spacing", noEffect, F::real, "", "", "belongs to free-energy"},
    // expanded ensemble and tempering
    KeyInfo{"nstexpanded", noEffect, F::integer, "", "", "belongs to free-energy = expanded"},
    KeyInfo{"lmc-stats", noEffect, F::text, "", "", "belongs to free-energy = expanded"},
    KeyInfo{"lmc-move", noEffect, F::text, "", "", "belongs to free-energy = expanded"},
    KeyInfo{"lmc-weights-equil", noEffect, F::text, "", "", "belongs to free-energy = expanded"},
    KeyInfo{"weight-equil-number-all-lambda", noEffect, F::integer, "", "", "belongs to free-energy = expanded"},
    KeyInfo{"weight-equil-number-samples", noEffect, F::integer, "", "", "belongs to free-energy = expanded"},
    KeyInfo{"weight-equil-number-steps", noEffect, F::integer, "", "", "belongs to free-energy = expanded"},
    KeyInfo{"weight-equil-wl-delta", noEffect, F::real, "", "", "belongs to free-energy = expanded"},
    KeyInfo{"weight-equil-count-ratio", noEffect, F::real, "", "", "belongs to free-energy = expanded"},
    KeyInfo{"lmc-seed", noEffect, F::integer, "", "", "belongs to free-energy = expanded"},
    KeyInfo{"mc-temperature", noEffect, F::real, "", "", "belongs to free-energy = expanded"},
    KeyInfo{"lmc-repeats", noEffect, F::integer, "", "", "belongs to free-energy = expanded"},
    KeyInfo{"lmc-gibbsdelta", noEffect, F::integer, "", "", "belongs to free-energy = expanded"},
    KeyInfo{"lmc-forced-nstart", noEffect, F::integer, "", "", "belongs to free-energy = expanded"},
    KeyInfo{"symmetrized-transition-matrix", noEffect, F::word, yesNo, "", "belongs to free-energy = expanded"},
    KeyInfo{"nst-transition-matrix", noEffect, F::integer, "", "", "belongs to free-energy = expanded"},
    KeyInfo{"mininum-var-min", noEffect, F::integer, "", "", "belongs to free-energy = expanded"},
    KeyInfo{"weight-c-range", noEffect, F::integer, "", "", "belongs to free-energy = expanded"},
    KeyInfo{"wl-scale", noEffect, F::real, "", "", "belongs to free-energy = expanded"},
    KeyInfo{"wl-ratio", noEffect, F::real, "", "", "belongs to free-energy = expanded"},
    KeyInfo{"init-wl-delta", noEffect, F::real, "", "", "belongs to free-energy = expanded"},
    KeyInfo{"wl-oneovert", noEffect, F::word, yesNo, "", "belongs to free-energy = expanded"},
    KeyInfo{"simulated-tempering", runOnly, F::word, yesNo, "no", "simulated tempering"},
    KeyInfo{"simulated-tempering-scaling", noEffect, F::word, "geometric exponential linear", "", "belongs to simulated-tempering"},
    KeyInfo{"sim-temp-low", noEffect, F::real, "", "", "belongs to simulated-tempering"},
    KeyInfo{"sim-temp-high", noEffect, F::real, "", "", "belongs to simulated-tempering"},
    // non-equilibrium
    KeyInfo{"acc-grps", noEffect, F::text, "", "", "belongs to accelerate"},
    KeyInfo{"accelerate", runOnly, F::reals, "", "0", "constant acceleration of groups"},
    KeyInfo{"freezegrps", done, F::text, "", "", "not with pressure coupling, nor atoms that constraints hold"},
    KeyInfo{"freezedim", done, F::text, "", "", "three a group, Y or N"},
    KeyInfo{"cos-acceleration", runOnly, F::real, "", "0", "cosine acceleration profile"},
    KeyInfo{"deform", runOnly, F::reals, "", "0", "box deformation"},
    KeyInfo{"deform-init-flow", noEffect, F::word, yesNo, "", "belongs to deform; GROMACS 2024"},
    KeyInfo{"electric-field-x", done, F::reals, "", "", "amplitude (V/nm), omega (1/ps), t0 and sigma (ps)"},
    KeyInfo{"electric-field-y", done, F::reals, "", "", "amplitude (V/nm), omega (1/ps), t0 and sigma (ps)"},
    KeyInfo{"electric-field-z", done, F::reals, "", "", "amplitude (V/nm), omega (1/ps), t0 and sigma (ps)"},
    // ion swapping
    KeyInfo{"swapcoords", runOnly, F::word, "no X Y Z", "no", "ion and water swapping"},
    KeyInfo{"swap-frequency", noEffect, F::integer, "", "", "belongs to swapcoords"},
    KeyInfo{"split-group#", noEffect, F::text, "", "", "belongs to swapcoords"},
    KeyInfo{"massw-split#", noEffect, F::text, "", "", "belongs to swapcoords"},
    KeyInfo{"solvent-group", noEffect, F::text, "", "", "belongs to swapcoords"},
    KeyInfo{"cyl#-r", noEffect, F::real, "", "", "belongs to swapcoords"},
    KeyInfo{"cyl#-up", noEffect, F::real, "", "", "belongs to swapcoords"},
    KeyInfo{"cyl#-down", noEffect, F::real, "", "", "belongs to swapcoords"},
    KeyInfo{"coupl-steps", noEffect, F::integer, "", "", "belongs to swapcoords"},
    KeyInfo{"iontypes", noEffect, F::integer, "", "", "belongs to swapcoords"},
    KeyInfo{"iontype#-name", noEffect, F::text, "", "", "belongs to swapcoords"},
    KeyInfo{"iontype#-in-a", noEffect, F::integer, "", "", "belongs to swapcoords"},
    KeyInfo{"iontype#-in-b", noEffect, F::integer, "", "", "belongs to swapcoords"},
    KeyInfo{"bulk-offseta", noEffect, F::real, "", "", "belongs to swapcoords"},
    KeyInfo{"bulk-offsetb", noEffect, F::real, "", "", "belongs to swapcoords"},
    KeyInfo{"threshold", noEffect, F::real, "", "", "belongs to swapcoords"},
    // modules
    KeyInfo{"qmmm", refused, F::word, yesNo, "no", "the old QM/MM interface, dropped by GROMACS"},
    KeyInfo{"qmmm-grps", noEffect, F::text, "", "", "belongs to qmmm and integrator = mimic"},
    KeyInfo{"density-guided-simulation-active", refused, F::word, "no yes false true off on 0 1", "no false off 0", "density-guided dynamics"},
    KeyInfo{"density-guided-simulation-group", noEffect, F::text, "", "", "belongs to density-guided-simulation-active"},
    KeyInfo{"density-guided-simulation-similarity-measure", noEffect, F::text, "", "", "belongs to density-guided-simulation-active"},
    KeyInfo{"density-guided-simulation-atom-spreading-weight", noEffect, F::text, "", "", "belongs to density-guided-simulation-active"},
    KeyInfo{"density-guided-simulation-force-constant", noEffect, F::text, "", "", "belongs to density-guided-simulation-active"},
    KeyInfo{"density-guided-simulation-gaussian-transform-spreading-width", noEffect, F::text, "", "", "belongs to density-guided-simulation-active"},
    KeyInfo{"density-guided-simulation-gaussian-transform-spreading-range-in-multiples-of-width", noEffect, F::text, "", "", "belongs to density-guided-simulation-active"},
    KeyInfo{"density-guided-simulation-reference-density-filename", noEffect, F::text, "", "", "belongs to density-guided-simulation-active"},
    KeyInfo{"density-guided-simulation-nst", noEffect, F::text, "", "", "belongs to density-guided-simulation-active"},
    KeyInfo{"density-guided-simulation-normalize-densities", noEffect, F::text, "", "", "belongs to density-guided-simulation-active"},
    KeyInfo{"density-guided-simulation-adaptive-force-scaling", noEffect, F::text, "", "", "belongs to density-guided-simulation-active"},
    KeyInfo{"density-guided-simulation-adaptive-force-scaling-time-constant", noEffect, F::text, "", "", "belongs to density-guided-simulation-active"},
    KeyInfo{"density-guided-simulation-shift-vector", noEffect, F::text, "", "", "belongs to density-guided-simulation-active"},
    KeyInfo{"density-guided-simulation-transformation-matrix", noEffect, F::text, "", "", "belongs to density-guided-simulation-active"},
    KeyInfo{"qmmm-cp2k-active", refused, F::word, "no yes false true off on 0 1", "no false off 0", "QM/MM with CP2K"},
    KeyInfo{"qmmm-cp2k-qmgroup", noEffect, F::text, "", "", "belongs to qmmm-cp2k-active"},
    KeyInfo{"qmmm-cp2k-qmmethod", noEffect, F::text, "", "", "belongs to qmmm-cp2k-active"},
    KeyInfo{"qmmm-cp2k-qmfilenames", noEffect, F::text, "", "", "belongs to qmmm-cp2k-active"},
    KeyInfo{"qmmm-cp2k-qminputfile", noEffect, F::text, "", "", "belongs to qmmm-cp2k-active"},
    KeyInfo{"qmmm-cp2k-qmcharge", noEffect, F::text, "", "", "belongs to qmmm-cp2k-active"},
    KeyInfo{"qmmm-cp2k-qmmultiplicity", noEffect, F::text, "", "", "belongs to qmmm-cp2k-active"},
    KeyInfo{"colvars-active", refused, F::word, "no yes false true off on 0 1", "no false off 0", "collective variables; GROMACS 2024"},
    KeyInfo{"colvars-configfile", noEffect, F::text, "", "", "belongs to colvars-active"},
    KeyInfo{"colvars-seed", noEffect, F::text, "", "", "belongs to colvars-active"},
    KeyInfo{"nnpot-active", refused, F::word, "no yes false true off on 0 1", "no false off 0", "neural-network potentials; GROMACS 2025"},
    KeyInfo{"nnpot-modelfile", noEffect, F::text, "", "", "belongs to nnpot-active"},
    KeyInfo{"nnpot-input-group", noEffect, F::text, "", "", "belongs to nnpot-active"},
    KeyInfo{"nnpot-model-input#", noEffect, F::text, "", "", "belongs to nnpot-active"},
    KeyInfo{"nnpot-link-type", noEffect, F::text, "", "", "belongs to nnpot-active; GROMACS 2026"},
    KeyInfo{"nnpot-link-distance", noEffect, F::text, "", "", "belongs to nnpot-active; GROMACS 2026"},
    KeyInfo{"nnpot-pair-cutoff", noEffect, F::text, "", "", "belongs to nnpot-active; GROMACS 2026"},
    KeyInfo{"nnpot-nnp-charge", noEffect, F::text, "", "", "belongs to nnpot-active; GROMACS 2026"},
    KeyInfo{"nnpot-embedding", noEffect, F::text, "", "", "belongs to nnpot-active; GROMACS 2026"},
    KeyInfo{"fmm-backend", refused, F::text, "", "inactive", "fast multipole method; GROMACS 2026"},
    KeyInfo{"fmm-exafmm-order", noEffect, F::text, "", "", "belongs to fmm-backend"},
    KeyInfo{"fmm-exafmm-direct-range", noEffect, F::text, "", "", "belongs to fmm-backend"},
    KeyInfo{"fmm-exafmm-direct-provider", noEffect, F::text, "", "", "belongs to fmm-backend"},
    KeyInfo{"fmm-fmsolvr-order", noEffect, F::text, "", "", "belongs to fmm-backend"},
    KeyInfo{"fmm-fmsolvr-direct-provider", noEffect, F::text, "", "", "belongs to fmm-backend"},
    KeyInfo{"fmm-fmsolvr-dipole-compensation", noEffect, F::text, "", "", "belongs to fmm-backend"},
    KeyInfo{"fmm-fmsolvr-tree-depth", noEffect, F::text, "", "", "belongs to fmm-backend"},
    KeyInfo{"fmm-fmsolvr-sparse", noEffect, F::text, "", "", "belongs to fmm-backend"},
    // user's own
    KeyInfo{"user1-grps", noEffect, F::text, "", "", "the groups must exist"},
    KeyInfo{"user2-grps", noEffect, F::text, "", "", "the groups must exist"},
    KeyInfo{"userint#", noEffect, F::integer, "", "", ""},
    KeyInfo{"userreal#", noEffect, F::real, "", "", ""},
    // gone from GROMACS, with a switch that is still read
    KeyInfo{"implicit-solvent", refused, F::word, "no GBSA", "no", "dropped by GROMACS"},
    KeyInfo{"adress", refused, F::word, yesNo, "no", "dropped by GROMACS"},
    // gone from GROMACS
    KeyInfo{"title", obsolete, F::text, "", "", ""},
    KeyInfo{"cpp", obsolete, F::text, "", "", ""},
    KeyInfo{"domain-decomposition", obsolete, F::text, "", "", ""},
    KeyInfo{"andersen-seed", obsolete, F::text, "", "", ""},
    KeyInfo{"dihre", obsolete, F::text, "", "", ""},
    KeyInfo{"dihre-fc", obsolete, F::text, "", "", ""},
    KeyInfo{"dihre-tau", obsolete, F::text, "", "", ""},
    KeyInfo{"nstdihreout", obsolete, F::text, "", "", ""},
    KeyInfo{"nstcheckpoint", obsolete, F::text, "", "", ""},
    KeyInfo{"optimize-fft", obsolete, F::text, "", "", ""},
    KeyInfo{"ns-type", obsolete, F::text, "", "", ""},
    KeyInfo{"rlistlong", obsolete, F::text, "", "", ""},
    KeyInfo{"nstcalclr", obsolete, F::text, "", "", ""},
    KeyInfo{"pull-print-com2", obsolete, F::text, "", "", ""},
    KeyInfo{"gb-algorithm", obsolete, F::text, "", "", ""},
    KeyInfo{"nstgbradii", obsolete, F::text, "", "", ""},
    KeyInfo{"rgbradii", obsolete, F::text, "", "", ""},
    KeyInfo{"gb-epsilon-solvent", obsolete, F::text, "", "", ""},
    KeyInfo{"gb-saltconc", obsolete, F::text, "", "", ""},
    KeyInfo{"gb-obc-alpha", obsolete, F::text, "", "", ""},
    KeyInfo{"gb-obc-beta", obsolete, F::text, "", "", ""},
    KeyInfo{"gb-obc-gamma", obsolete, F::text, "", "", ""},
    KeyInfo{"gb-dielectric-offset", obsolete, F::text, "", "", ""},
    KeyInfo{"sa-algorithm", obsolete, F::text, "", "", ""},
    KeyInfo{"sa-surface-tension", obsolete, F::text, "", "", ""},
    KeyInfo{"adress-type", obsolete, F::text, "", "", ""},
    KeyInfo{"adress-const-wf", obsolete, F::text, "", "", ""},
    KeyInfo{"adress-ex-width", obsolete, F::text, "", "", ""},
    KeyInfo{"adress-hy-width", obsolete, F::text, "", "", ""},
    KeyInfo{"adress-ex-forcecap", obsolete, F::text, "", "", ""},
    KeyInfo{"adress-interface-correction", obsolete, F::text, "", "", ""},
    KeyInfo{"adress-site", obsolete, F::text, "", "", ""},
    KeyInfo{"adress-reference-coords", obsolete, F::text, "", "", ""},
    KeyInfo{"adress-tf-grp-names", obsolete, F::text, "", "", ""},
    KeyInfo{"adress-cg-grp-names", obsolete, F::text, "", "", ""},
    KeyInfo{"adress-do-hybridpairs", obsolete, F::text, "", "", ""},
    KeyInfo{"qmmethod", obsolete, F::text, "", "", ""},
    KeyInfo{"qmmmscheme", obsolete, F::text, "", "", ""},
    KeyInfo{"qmbasis", obsolete, F::text, "", "", ""},
    KeyInfo{"qmcharge", obsolete, F::text, "", "", ""},
    KeyInfo{"qmmult", obsolete, F::text, "", "", ""},
    KeyInfo{"sh", obsolete, F::text, "", "", ""},
    KeyInfo{"casorbitals", obsolete, F::text, "", "", ""},
    KeyInfo{"caselectrons", obsolete, F::text, "", "", ""},
    KeyInfo{"saon", obsolete, F::text, "", "", ""},
    KeyInfo{"saoff", obsolete, F::text, "", "", ""},
    KeyInfo{"sasteps", obsolete, F::text, "", "", ""},
    KeyInfo{"mmchargescalefactor", obsolete, F::text, "", "", ""},
    KeyInfo{"bopt", obsolete, F::text, "", "", ""},
    KeyInfo{"bts", obsolete, F::text, "", "", ""},
    KeyInfo{"e-x", refused, F::reals, "", "0", "the old spelling of electric-field-x"},
    KeyInfo{"e-y", refused, F::reals, "", "0", "the old spelling of electric-field-y"},
    KeyInfo{"e-z", refused, F::reals, "", "0", "the old spelling of electric-field-z"},
    KeyInfo{"e-xt", refused, F::reals, "", "0", "an old spelling within electric-field-x"},
    KeyInfo{"e-yt", refused, F::reals, "", "0", "an old spelling within electric-field-y"},
    KeyInfo{"e-zt", refused, F::reals, "", "0", "an old spelling within electric-field-z"},
    // old spellings
    KeyInfo{"unconstrained-start", renamed, F::text, "", "continuation", ""},
    KeyInfo{"foreign-lambda", renamed, F::text, "", "fep-lambdas", ""},
    KeyInfo{"verlet-buffer-drift", renamed, F::text, "", "verlet-buffer-tolerance", ""},
    KeyInfo{"nstxtcout", renamed, F::text, "", "nstxout-compressed", ""},
    KeyInfo{"xtc-grps", renamed, F::text, "", "compressed-x-grps", ""},
    KeyInfo{"xtc-precision", renamed, F::text, "", "compressed-x-precision", ""},
    KeyInfo{"pull-print-com1", renamed, F::text, "", "pull-print-com", ""},
};
// clang-format on

/// True where `name`, canonical, matches `pattern`, canonical, in which each '#' stands for one or more digits.
bool matches(std::string_view pattern, std::string_view name)
{
    std::size_t n = 0;
    for (std::size_t p = 0; p < pattern.size(); ++p) {
        if (pattern[p] == '#') {
            std::size_t const start = n;
            while (n < name.size() && std::isdigit(static_cast<unsigned char>(name[n]))) ++n;
            if (n == start) return false;
        } else if (n < name.size() && name[n] == pattern[p]) {
            ++n;
        } else {
            return false;
        }
    }
    return n == name.size();
}

std::string_view nameOf(Verdict verdict)
{
    switch (verdict) {
    case done: return "supported";
    case refused: return "refused";
    case runOnly: return "refused by mdrun";
    case noEffect: return "without effect";
    case obsolete: return "without effect, warned";
    case renamed: return "renamed";
    }
    return "";
}

/// Insertions, deletions and replacements that make one word of the other; `limit` where they are no fewer, found out as early as can be.
std::size_t editDistance(std::string_view a, std::string_view b, std::size_t limit)
{
    std::size_t const lengths = std::max(a.size(), b.size()) - std::min(a.size(), b.size());
    if (lengths >= limit) return limit;
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        std::size_t least = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            std::size_t const replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
            least = std::min(least, row[j]);
        }
        if (least >= limit) return limit;
    }
    return row.back();
}

/// The candidate nearer than `limit` to a canonical word; empty where there is none.
std::string_view nearestWithin(std::string_view sought, std::vector<std::string_view> const& known, std::size_t limit)
{
    std::string_view best;
    for (std::string_view candidate : known) {
        std::size_t const distance = editDistance(sought, canonical(candidate), limit);
        if (distance < limit) {
            limit = distance;
            best = candidate;
        }
    }
    return best;
}

} // namespace

std::span<KeyInfo const> mdpKeys() { return rows; }

std::string canonical(std::string_view text)
{
    std::string form;
    for (char c : text)
        if (c != '-' && c != '_') form += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return form;
}

KeyInfo const* findKey(std::string_view written)
{
    static std::vector<std::string> const patterns = [] {
        std::vector<std::string> all;
        for (KeyInfo const& row : rows) all.push_back(canonical(row.name));
        return all;
    }();
    std::string const name = canonical(written);
    for (std::size_t i = 0; i < patterns.size(); ++i)
        if (matches(patterns[i], name)) return &rows[i];
    return nullptr;
}

std::string nearest(std::string_view word, std::vector<std::string_view> const& known)
{
    // A long line of noise has no near word, and its distance costs the product of the lengths.
    return std::string(nearestWithin(canonical(word.substr(0, 80)), known, static_cast<std::size_t>(-1)));
}

std::string nearestKey(std::string_view written)
{
    static std::vector<std::string_view> const known = [] {
        std::vector<std::string_view> all;
        for (KeyInfo const& row : rows)
            if (row.verdict != obsolete) all.push_back(row.name);
        return all;
    }();
    // A key of which more than half is wrong is no slip of the finger. Searching all rows for one nearer took 1 ms for each line of noise.
    std::string const sought = canonical(written.substr(0, 80));
    return std::string(nearestWithin(sought, known, sought.size() / 2 + 1));
}

std::string mdpKeyTable()
{
    std::string table = "| key | alder | remark |\n|---|---|---|\n";
    for (KeyInfo const& row : rows) {
        std::string remark(row.remark);
        if (row.verdict == renamed) remark = fmt::format("read as `{}`", row.harmless);
        if ((row.verdict == refused || row.verdict == runOnly)) {
            std::string const passes = row.harmless.empty() ? "empty" : fmt::format("`{}`", row.harmless);
            remark = fmt::format("{}{}passes: {}", remark, remark.empty() ? "" : "; ", passes);
        }
        table += fmt::format("| `{}` | {} | {} |\n", row.name, nameOf(row.verdict), remark);
    }
    return table;
}

} // namespace alder::deck
