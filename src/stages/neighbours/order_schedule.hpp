// When bodies are put in order along the Z-curve: that costs more than a list, and pays as long as
// neighbours in space are neighbours in memory.
#pragma once

#include <cstdint>

namespace scree::neighbours {

class OrderSchedule {
public:
    /// Every so many lists bodies are put in order.
    static constexpr std::uint32_t lists_between = 32;
    /// Asked for each list that is made. `changed`: bodies were added, removed or placed anew.
    [[nodiscard]] bool reorders(bool changed)
    {
        lists_ = changed || lists_ + 1 >= lists_between ? 0 : lists_ + 1;
        return lists_ == 0;
    }
    /// Lists made since bodies were put in order, fewer than `lists_between`.
    [[nodiscard]] std::uint32_t lists() const { return lists_; }
    void set_lists(std::uint32_t lists) { lists_ = lists; }

private:
    std::uint32_t lists_ = 0;
};

}  // namespace scree::neighbours
