#include "io/net/output.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace rondo {

namespace {

using Kind = OutputChunk::Kind;

struct OwnedChunk : OutputChunk {
  std::string text;
};

void destroy(OutputChunk* chunk) noexcept {
  delete chunk->descriptors;
  if (chunk->kind == Kind::owned) {
    delete static_cast<OwnedChunk*>(chunk);
  } else {
    ::operator delete(chunk);
  }
}

bool from_shelf(Kind kind) noexcept {
  return kind == Kind::small || kind == Kind::large || kind == Kind::borrowed;
}

}  // namespace

// ---- The pool ---------------------------------------------------------------------------------

ChunkPool::~ChunkPool() {
  for (Shelf* shelf : {&small_, &large_}) {
    while (shelf->first != nullptr) destroy(std::exchange(shelf->first, shelf->first->next));
  }
}

OutputChunk* ChunkPool::make(Kind kind, std::size_t bytes) {
  auto* chunk = ::new (::operator new(sizeof(OutputChunk) + bytes)) OutputChunk{};
  chunk->kind = kind;
  chunk->data = chunk->storage();
  chunk->capacity = bytes;
  return chunk;
}

OutputChunk* ChunkPool::take(Kind kind) {
  Shelf& shelf = this->shelf(kind);
  if (shelf.first == nullptr) {
    return make(kind, (kind == Kind::small ? kSmallBytes : kLargeBytes) - sizeof(OutputChunk));
  }
  --shelf.count;
  OutputChunk* chunk = std::exchange(shelf.first, shelf.first->next);
  chunk->next = nullptr;
  return chunk;
}

void ChunkPool::give_back(ChunkPool* pool, OutputChunk* chunk) noexcept {
  if (pool == nullptr || !from_shelf(chunk->kind) || chunk->descriptors != nullptr) {
    destroy(chunk);
    return;
  }
  if (chunk->kind == Kind::borrowed) {  // was a small one that lent its head
    chunk->kind = Kind::small;
    chunk->capacity = kSmallBytes - sizeof(OutputChunk);
    chunk->borrower = nullptr;
    chunk->continues = false;
  }
  Shelf& shelf = pool->shelf(chunk->kind);
  if (shelf.count == shelf.most) {
    destroy(chunk);
    return;
  }
  chunk->data = chunk->storage();
  chunk->begin = chunk->end = 0;
  chunk->next = std::exchange(shelf.first, chunk);
  ++shelf.count;
}

// ---- The queue --------------------------------------------------------------------------------

void OutputQueue::append(OutputChunk* chunk) noexcept {
  (last_ == nullptr ? first_ : last_->next) = chunk;
  last_ = chunk;
}

void OutputQueue::append_copy(ChunkPool& pool, std::span<const std::byte> bytes) {
  size_ += bytes.size();
  if (last_ != nullptr && last_->capacity > last_->end) {
    const std::size_t part = std::min(bytes.size(), last_->capacity - last_->end);
    std::memcpy(last_->storage() + last_->end, bytes.data(), part);
    last_->end += part;
    bytes = bytes.subspan(part);
  }
  if (bytes.empty()) return;
  // A connection that says little holds little; one that says more is given more at a time.
  const std::size_t small_room = ChunkPool::kSmallBytes - sizeof(OutputChunk);
  const std::size_t large_room = ChunkPool::kLargeBytes - sizeof(OutputChunk);
  OutputChunk* chunk = bytes.size() > large_room ? ChunkPool::make(Kind::exact, bytes.size())
                       : empty() && bytes.size() <= small_room ? pool.take(Kind::small)
                                                               : pool.take(Kind::large);
  std::memcpy(chunk->storage(), bytes.data(), bytes.size());
  chunk->end = bytes.size();
  append(chunk);
}

void OutputQueue::append_owned(std::string text) {
  auto* chunk = new OwnedChunk;
  chunk->kind = Kind::owned;
  chunk->text = std::move(text);
  chunk->data = reinterpret_cast<const std::byte*>(chunk->text.data());
  chunk->end = chunk->text.size();
  size_ += chunk->end;
  append(chunk);
}

void OutputQueue::append_borrowed(ChunkPool& pool, std::span<const std::byte> bytes,
                                  const detail::WriteMark& borrower) {
  OutputChunk* chunk = pool.take(Kind::small);
  chunk->kind = Kind::borrowed;
  chunk->capacity = 0;
  chunk->data = bytes.data();
  chunk->end = bytes.size();
  chunk->borrower = &borrower;
  size_ += bytes.size();
  borrowed_ += bytes.size();
  append(chunk);
}

void OutputQueue::append_with_descriptors(std::span<const std::byte> bytes,
                                          std::vector<Descriptor> descriptors) {
  auto owned = std::make_unique<std::vector<Descriptor>>(std::move(descriptors));
  OutputChunk* chunk = ChunkPool::make(Kind::exact, bytes.size());
  std::memcpy(chunk->storage(), bytes.data(), bytes.size());
  chunk->end = bytes.size();
  chunk->capacity = 0;
  chunk->descriptors = owned.release();
  size_ += bytes.size();
  append(chunk);
}

std::size_t OutputQueue::fill(std::span<iovec> out) const noexcept {
  std::size_t count = 0;
  for (OutputChunk* chunk = first_; chunk != nullptr && count < out.size(); chunk = chunk->next) {
    if (chunk->descriptors != nullptr && chunk != first_) break;
    out[count++] = {const_cast<std::byte*>(chunk->data + chunk->begin), chunk->size()};
  }
  return count;
}

void OutputQueue::consume(ChunkPool* pool, std::size_t count) noexcept {
  size_ -= count;
  for (;;) {
    OutputChunk* chunk = first_;
    if (chunk == nullptr) return;
    const std::size_t part = std::min(count, chunk->size());
    chunk->begin += part;
    if (chunk->kind == Kind::borrowed) borrowed_ -= part;
    count -= part;
    if (chunk->size() != 0) return;
    first_ = chunk->next;
    if (first_ == nullptr) {
      last_ = nullptr;
    } else if (chunk->borrower != nullptr && first_->borrower == chunk->borrower) {
      first_->continues = true;
    }
    release(pool, chunk);
  }
}

void OutputQueue::release(ChunkPool* pool, OutputChunk* chunk) noexcept {
  ChunkPool::give_back(pool, chunk);
}

bool OutputQueue::find(const detail::WriteMark& borrower, Place& place) const noexcept {
  std::size_t offset = 0;
  for (OutputChunk* chunk = first_; chunk != nullptr; chunk = chunk->next) {
    if (chunk->borrower == &borrower) {
      place = {offset, 0, chunk->begin != 0 || chunk->continues};
      for (; chunk != nullptr && chunk->borrower == &borrower; chunk = chunk->next) {
        place.size += chunk->size();
      }
      return true;
    }
    offset += chunk->size();
  }
  return false;
}

void OutputQueue::remove(ChunkPool& pool, const detail::WriteMark& borrower) noexcept {
  OutputChunk* before = nullptr;
  for (OutputChunk* chunk = first_; chunk != nullptr; before = chunk, chunk = chunk->next) {
    if (chunk->borrower != &borrower) continue;
    while (chunk != nullptr && chunk->borrower == &borrower) {
      OutputChunk* next = chunk->next;
      size_ -= chunk->size();
      borrowed_ -= chunk->size();
      release(&pool, chunk);
      chunk = next;
    }
    (before == nullptr ? first_ : before->next) = chunk;
    if (chunk == nullptr) last_ = before;
    return;
  }
}

bool OutputQueue::borrows(std::size_t count) const noexcept {
  for (OutputChunk* chunk = first_; chunk != nullptr && count != 0; chunk = chunk->next) {
    if (chunk->kind == Kind::borrowed) return true;
    count -= std::min(count, chunk->size());
  }
  return false;
}

void OutputQueue::clear(ChunkPool* pool) noexcept {
  while (first_ != nullptr) release(pool, std::exchange(first_, first_->next));
  last_ = nullptr;
  size_ = borrowed_ = 0;
}

}  // namespace rondo
