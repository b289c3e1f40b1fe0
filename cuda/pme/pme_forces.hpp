#pragma once
// The reciprocal sum of charges, or of dispersion, by smooth particle-mesh Ewald on the device.

#include "device/buffers.hpp"
#include "device/device_value.hpp"
#include "device/force_target.hpp"
#include "device/stream.hpp"
#include "domain/pme_team.hpp"
#include "fft/line_transforms.hpp"
#include "physics/box.hpp"
#include "pme/grid_transform.hpp"
#include "pme/grid_waves.hpp"
#include "pme/influence.hpp"
#include "pme/pme_views.hpp"
#include "pme/ranks/grid_ranks.hpp"
#include "pme/source_order.hpp"
#include "pme/spread_gather.hpp"
#include "system/topology.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace alder::cuda {

/// Twin of cpu::PmeForces. The charge grid holds the same integers; the transforms round in their own way, and each atom gathers in a fixed
/// order, so the bits depend on the device's architecture and on nothing else.
class PmeForces {
public:
    /// A null team: a lone rank. On several ranks all of them call every method below but check() and judge(), in the same order; each then
    /// adds to the forces on its own atoms, and to the sums its part of them. Throws RunFailed where several are to use cuFFT.
    PmeForces(system::Topology const& topology, plan::PmePlan const& plan, Stream& stream, TransformKind transform = chosenTransform(),
              domain::PmeTeam const* team = nullptr);
    /// Atoms of a rank, and the cell they are in.
    struct Placed {
        std::vector<math::FractionVec> const& positions;
        physics::Box const& box;
    };
    /// Of several ranks: after every change of hands this one has the home atoms of `part`, maybe none. The host waits.
    void takeAtoms(system::Topology const& part, Placed const& at);
    /// Of several ranks: before add(), begins what needs no other rank.
    void start(View<math::FractionVec const> positions);
    /// Puts the atoms in the order of their places, for speed alone: no bit of any result depends on it. For list builds.
    void sort(View<math::FractionVec const> positions);
    /// The box from now on, for graphs too that hold an add().
    void adaptTo(physics::Box const& box);
    /// Adds the forces. On several ranks the host waits for messages: what is to run meanwhile has been given to its stream. Where target wants them, energies and virial under the terms that cpu::PmeForces uses.
    void add(View<math::FractionVec const> positions, physics::Box const& box, ForceTarget const& target);
    /// Waits for the device. Throws RunFailed where charges have piled up beyond what the charge grid holds, or where an atom of one of
    /// several ranks has gone farther since takeAtoms() than there are planes for.
    void check();
    /// What check() looks at: none where nothing can fail.
    [[nodiscard]] View<std::int32_t const> flag() const { return trouble_.size() > 0 ? trouble_.constView() : View<std::int32_t const>(); }
    /// check() of a flag that the host has.
    void judge(std::int32_t trouble) const;
    /// What of a plan this room cannot compute, by name.
    static std::vector<std::string> cannotDo(plan::PmePlan const& plan);

private:
    [[nodiscard]] WaveSums sumsOf(physics::Box const& box, ForceTarget const& target) const;
    [[nodiscard]] double sourceOf(system::Atom const& atom) const;
    [[nodiscard]] SourceViews sources(View<math::FractionVec const> positions);
    void makeTables(Stream& stream);
    std::vector<std::int32_t> takeSources(system::Topology const& topology);
    [[nodiscard]] std::vector<char> planesNear(std::vector<std::int32_t> const& atoms, Placed const& at) const;
    void solveAlone(physics::Box const& box, ForceTarget const& target);
    void solveTogether(physics::Box const& box, ForceTarget const& target);

    plan::PmePlan plan_;
    Stream& stream_;
    PmeGridShape grid_;
    pme::Influence influence_;
    physics::Box box_;
    double netCharge_ = 0;             ///< of the whole system
    bool active_ = false;              ///< there are charges; else no buffer below
    std::optional<SourceOrder> order_; ///< of the atoms here
    WaveShare share_;                  ///< that are solved here
    DeviceBuffer<std::int32_t> charges_, trouble_;
    DeviceBuffer<std::int64_t> chargeSums_;
    DeviceValue<SlopeFactors> slopes_;
    DeviceBuffer<float> points_, influenceTable_;
    DeviceBuffer<float2> waves_;
    DeviceBuffer<double> moduliX_, moduliY_, moduliZ_;
    std::unique_ptr<GridTransform> transform_; ///< of a lone rank

    domain::PmeTeam const* team_;
    std::unique_ptr<GridRanks> ranks_; ///< these of several
    std::unique_ptr<LineTransforms> lines_;
    DeviceBuffer<float2> lineWaves_;
    PinnedBuffer<std::int64_t> fetchedSums_;
};

} // namespace alder::cuda
