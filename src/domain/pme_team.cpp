#include "domain/pme_team.hpp"

namespace alder::domain {

PmeTeam::PmeTeam(Communicator& all, int separate, std::array<int, 2> pencils)
    : all_(all),
      first_(separate > 0 ? all.size() - separate : 0),
      count_(all.size() - first_),
      pencils_(pencils),
      solvers_(all.part(all.rank() >= first_ ? 1 : 0))
{}

} // namespace alder::domain
