#pragma once
// The temperature that is asked for, as a function of time.

#include "plan/run_plan.hpp"

namespace alder::couple {

/// Reference temperature (K) of a group at a time (ps): ref-t, or a point on its annealing schedule. Between two points the temperature
/// goes in a straight line; after the last one it stays (single) or the schedule begins anew (periodic). Two points at one time are a
/// jump, which has happened at that time.
double referenceTemperature(plan::TemperatureGroupPlan const& group, double time);

/// The one temperature of the whole system that a barostat works with: the mean of the coupled groups, by degrees of freedom.
double ensembleTemperature(plan::DynamicsPlan const& dynamics, double time);

} // namespace alder::couple
