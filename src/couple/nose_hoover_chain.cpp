#include "couple/nose_hoover_chain.hpp"

#include "math/elementary.hpp"
#include "physics/constants.hpp"

#include <array>

namespace alder::couple {

double NoseHooverChain::mass(std::size_t link) const
{
    double const period = tau / (2 * physics::pi);
    return (link == 0 ? degreesOfFreedom : 1.0) * physics::boltzmann * reference * period * period;
}

double NoseHooverChain::drive(std::size_t link, double kinetic) const
{
    double const kT = physics::boltzmann * reference;
    if (link == 0) return (2 * kinetic - degreesOfFreedom * kT) / mass(0);
    return (mass(link - 1) * velocity[link - 1] * velocity[link - 1] - kT) / mass(link);
}

/// One symmetric pass: velocities from the end of the chain to its head, positions, and back.
double NoseHooverChain::moveOnce(double time, double kinetic)
{
    std::size_t const links = velocity.size();
    auto const drag = [&](std::size_t link) { return link + 1 < links ? math::exponential(-0.25 * time * velocity[link + 1]) : 1.0; };
    auto const push = [&](std::size_t link) {
        double const slow = drag(link);
        velocity[link] = slow * (slow * velocity[link] + 0.5 * time * drive(link, kinetic));
    };
    for (std::size_t n = links; n-- > 0;) push(n);
    double const factor = math::exponential(-time * velocity[0]);
    kinetic *= factor * factor;
    for (std::size_t n = 0; n < links; ++n) position[n] += time * velocity[n];
    for (std::size_t n = 0; n < links; ++n) push(n);
    return factor;
}

/// In five parts (M. Suzuki, Phys. Lett. A 165, 387 (1992); fourth order): chains may be much faster than atoms.
double NoseHooverChain::move(double time, double kinetic)
{
    constexpr double outer = 0.41449077179437573714; // 1 / (4 - 4^(1/3))
    constexpr std::array<double, 5> parts{outer, outer, 1 - 4 * outer, outer, outer};
    double factor = 1;
    for (double const part : parts) {
        double const once = moveOnce(part * time, kinetic);
        factor *= once;
        kinetic *= once * once;
    }
    return factor;
}

double NoseHooverChain::energy() const
{
    double const kT = physics::boltzmann * reference;
    double sum = 0;
    for (std::size_t n = 0; n < velocity.size(); ++n)
        sum += 0.5 * mass(n) * velocity[n] * velocity[n] + (n == 0 ? degreesOfFreedom : 1.0) * kT * position[n];
    return sum;
}

} // namespace alder::couple
