#pragma once
// The plan's pair potential as one function of the distance, in double precision: energies, the wide kernel, the tests.

#include "physics/dispersion_ewald.hpp"
#include "physics/pair_potential.hpp"
#include "plan/run_plan.hpp"

#include <cmath>

namespace alder::pairs {

struct PairTerms {
    double lj = 0, coulomb = 0; ///< kJ/mol
    double forceOverR = 0;      ///< kJ/mol/nm^2
};

/// What a pair is made of.
struct PairCharges {
    double qq = 0; ///< f q_i q_j, kJ/mol nm
    double c6 = 0, c12 = 0;
    bool excluded = false;
    double gridC6 = 0; ///< LJ-PME
};

class PairLaw {
public:
    explicit PairLaw(plan::PairPlan const& plan) : plan_(plan), rcoulomb2_(plan.rcoulomb * plan.rcoulomb), rvdw2_(plan.rvdw * plan.rvdw)
    {
        if (plan.vdw == plan::VdwForm::forceSwitch) {
            six_ = physics::ForceSwitch(6, plan.rvdwSwitch, plan.rvdw);
            twelve_ = physics::ForceSwitch(12, plan.rvdwSwitch, plan.rvdw);
        }
    }

    [[nodiscard]] ALDER_HD double cutoff2() const { return rcoulomb2_ > rvdw2_ ? rcoulomb2_ : rvdw2_; }

    /// r2 > 0 unless the pair is excluded.
    [[nodiscard]] ALDER_HD PairTerms at(double r2, PairCharges const& pair) const
    {
        PairTerms terms;
        double const inverse2 = pair.excluded ? 0 : 1 / r2, inverse = pair.excluded ? 0 : std::sqrt(inverse2);
        if (plan_.coulomb != plan::CoulombForm::none && r2 < rcoulomb2_) addCoulomb(terms, r2, inverse, pair);
        if (plan_.vdw != plan::VdwForm::none && r2 < rvdw2_ && !pair.excluded) addLj(terms, r2, inverse, pair);
        if (plan_.vdw == plan::VdwForm::ewald && r2 < rvdw2_) addDispersionOnGrid(terms, r2, pair);
        return terms;
    }

private:
    ALDER_HD void addCoulomb(PairTerms& terms, double r2, double inverse, PairCharges const& pair) const
    {
        double smooth = 0;
        if (plan_.coulomb == plan::CoulombForm::reactionField) {
            smooth = 2 * plan_.krf;
            terms.coulomb = pair.qq * (inverse + plan_.krf * r2 - plan_.crf);
        } else {
            smooth = physics::ewaldSmoothForce(r2, plan_.beta);
            terms.coulomb = pair.qq * (inverse - physics::erfOverR(r2, plan_.beta) - (pair.excluded ? 0 : plan_.ewaldShift));
        }
        terms.forceOverR += physics::coulombForceOverR(pair.qq, inverse, inverse * inverse, smooth);
    }
    ALDER_HD void addLj(PairTerms& terms, double r2, double inverse, PairCharges const& pair) const
    {
        double const inverse2 = inverse * inverse, inverse6 = inverse2 * inverse2 * inverse2, r = r2 * inverse;
        double const beyond = r > plan_.rvdwSwitch ? r - plan_.rvdwSwitch : 0;
        double force = physics::ljForceOverR(inverse2, inverse6, 6 * pair.c6, 12 * pair.c12);
        double energy = physics::ljEnergy(inverse6, pair.c6, pair.c12);
        switch (plan_.vdw) {
        case plan::VdwForm::none: break;
        case plan::VdwForm::ewald:
        case plan::VdwForm::cut: energy += pair.c12 * plan_.repulsionShift - pair.c6 * plan_.dispersionShift; break;
        case plan::VdwForm::potentialSwitch: {
            double const width = plan_.rvdw - plan_.rvdwSwitch, x = beyond / width;
            force = force * physics::switchFactor(x, 1.0, 6.0, 10.0, 15.0) + energy * physics::switchSlope(x, 1.0, 30.0) / width * inverse;
            energy *= physics::switchFactor(x, 1.0, 6.0, 10.0, 15.0);
            break;
        }
        case plan::VdwForm::forceSwitch: {
            force += pair.c12 * physics::forceSwitchOverR(beyond, inverse, twelve_.a, twelve_.b) -
                     pair.c6 * physics::forceSwitchOverR(beyond, inverse, six_.a, six_.b);
            energy += pair.c12 * physics::forceSwitchEnergy(beyond, twelve_.a / 3, twelve_.b / 4, twelve_.c) -
                      pair.c6 * physics::forceSwitchEnergy(beyond, six_.a / 3, six_.b / 4, six_.c);
            break;
        }
        }
        terms.lj = energy;
        terms.forceOverR += force;
    }

    ALDER_HD void addDispersionOnGrid(PairTerms& terms, double r2, PairCharges const& pair) const
    {
        terms.lj += pair.gridC6 * (physics::dispersionOnGrid(r2, plan_.ljBeta) + (pair.excluded ? 0 : plan_.gridShift));
        terms.forceOverR += pair.gridC6 * physics::dispersionOnGridForce(r2, plan_.ljBeta);
    }

    plan::PairPlan plan_;
    double rcoulomb2_, rvdw2_;
    physics::ForceSwitch six_, twelve_;
};

} // namespace alder::pairs
