#pragma once
// The pair potential and its number formats, from the .mdp.

#include "plan/run_plan.hpp"

namespace alder::plan {

/// All of PairPlan but the list radii and intervals (verlet_buffer.hpp), which it sets to the cutoff and nstlist.
PairPlan makePairPlan(RunOptions const& options, system::Topology const& topology, physics::Box const& box);

/// Kernel coordinates are multiples of 2^-bits nm. A float holds whole numbers up to 2^24 exactly, and what is told apart exactly must
/// reach from an i cluster's first atom (extent at most 0.6 list radii) across the cutoff: 22 bits (0.24 fm) where two list radii fit, fewer
/// for longer cutoffs. A coordinate and its images must fit 32 bits: 22 bits up to boxes of 120 nm.
int latticeBitsFor(double listCutoff, physics::Box const& box);
/// As fine as 32-bit coordinates allow, at most 24 bits: for sums in double precision, which need no exact float distances.
int finestLatticeBits(physics::Box const& box);

/// Pair forces are rounded to 2^-bits kJ/mol/nm, 2^-23 to 2^-22 of the deck's force scale: the largest of 24 epsilon/sigma (the
/// steepness of a contact) and f q^2/(0.3 nm)^2. Water: 12 bits, argon: 16.
int forceBitsFor(PairPlan const& plan, system::Topology const& topology);

} // namespace alder::plan
