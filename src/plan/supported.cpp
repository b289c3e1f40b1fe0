#include "plan/supported.hpp"

namespace alder::plan {

using system::Kind;

Treatment treatmentOf(Kind kind)
{
    switch (kind) {
    case Kind::bond:
    case Kind::g96Bond:
    case Kind::morse:
    case Kind::cubicBond:
    case Kind::harmonic:
    case Kind::fene:
    case Kind::restraintBond:
    case Kind::pair14:
    case Kind::pair14Charges:
    case Kind::pairNonbonded:
    case Kind::angle:
    case Kind::g96Angle:
    case Kind::crossBondBond:
    case Kind::crossBondAngle:
    case Kind::ureyBradley:
    case Kind::quarticAngle:
    case Kind::restrictedAngle:
    case Kind::properDihedral:
    case Kind::improperDihedral:
    case Kind::ryckaertBellemans:
    case Kind::periodicImproper:
    case Kind::fourierDihedral:
    case Kind::restrictedDihedral:
    case Kind::combinedBendingTorsion:
    case Kind::cmap:
    case Kind::positionRestraint:
    case Kind::flatBottomRestraint:
    case Kind::dihedralRestraint:
    case Kind::angleRestraint:
    case Kind::angleRestraintZ: return Treatment::force;
    case Kind::connectBond: return Treatment::connection;
    case Kind::distanceRestraint: return Treatment::average;
    case Kind::constraint:
    case Kind::constraintNoExclusion:
    case Kind::settle: return Treatment::constraint;
    case Kind::virtualSite1:
    case Kind::virtualSite2:
    case Kind::virtualSite2fd:
    case Kind::virtualSite3:
    case Kind::virtualSite3fd:
    case Kind::virtualSite3fad:
    case Kind::virtualSite3out:
    case Kind::virtualSite4fdn:
    case Kind::virtualSiteN: return Treatment::virtualSite;
    default: return Treatment::refused;
    }
}

bool constrainsDistances(system::Topology const& topology)
{
    return topology.uses(Kind::constraint) || topology.uses(Kind::constraintNoExclusion);
}

} // namespace alder::plan
