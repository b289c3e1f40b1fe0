#include "device/graph.hpp"

#include "device/check.hpp"

namespace alder::cuda {

Graph::~Graph()
{
    if (handle_ != nullptr) cudaGraphExecDestroy(handle_);
}

void Graph::launch(Stream& stream) const { check(cudaGraphLaunch(handle_, stream.handle()), "launching a graph"); }

Graph captured(Stream& stream, std::function<void()> const& work)
{
    check(cudaStreamBeginCapture(stream.handle(), cudaStreamCaptureModeThreadLocal), "beginning a graph");
    cudaGraph_t graph = nullptr;
    try {
        work();
    } catch (...) {
        // the stream must not stay in a capture
        if (cudaStreamEndCapture(stream.handle(), &graph) == cudaSuccess) cudaGraphDestroy(graph);
        static_cast<void>(cudaGetLastError());
        throw;
    }
    check(cudaStreamEndCapture(stream.handle(), &graph), "ending a graph");
    Graph made;
    cudaError_t status = cudaGraphGetNodes(graph, nullptr, &made.nodeCount_);
    if (status == cudaSuccess) status = cudaGraphInstantiate(&made.handle_, graph, 0);
    cudaGraphDestroy(graph);
    check(status, "making a graph");
    return made;
}

} // namespace alder::cuda
