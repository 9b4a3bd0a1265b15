// Numbers for plans, by which whatever connects ranks knows one that it has prepared for already.
#include "scree/ranks.hpp"

#include <atomic>

namespace scree {

Ranks::PersistentMessages::PersistentMessages(std::vector<Message> messages)
    : messages_(std::move(messages))
{
    static std::atomic<std::uint64_t> plans{0};
    number_ = ++plans;
}

}  // namespace scree
