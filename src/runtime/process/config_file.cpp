#include "runtime/process/config_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <variant>

#include "runtime/process/options.h"

namespace rondo {
namespace {

// ---- JSON ---------------------------------------------------------------------------------------

struct Json;
using List = std::vector<Json>;
using Fields =
    std::vector<std::pair<std::string, Json>>;  // in their order, also if a name comes twice

struct Number {
  std::string text;
};

struct Json {
  std::variant<std::nullptr_t, bool, Number, std::string, List, Fields> value = nullptr;

  template <class Kind>
  const Kind* as() const noexcept {
    return std::get_if<Kind>(&value);
  }
};

/// Throws int where the text is not JSON; V8 is not there yet.
class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : text_(text) {}

  Json read_all() {
    Json json = read(0);
    skip_spaces();
    if (at_ != text_.size()) fail();
    return json;
  }

 private:
  static constexpr int kMostLevels = 64;

  [[noreturn]] static void fail() { throw 0; }

  void skip_spaces() {
    while (at_ < text_.size() && std::strchr(" \t\r\n", text_[at_]) != nullptr) ++at_;
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  bool take(char c) {
    skip_spaces();
    if (peek() != c) return false;
    ++at_;
    return true;
  }

  void expect(char c) {
    if (!take(c)) fail();
  }

  bool take_word(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  Json read(int level) {
    if (level > kMostLevels) fail();
    skip_spaces();
    if (take('{')) return {read_fields(level)};
    if (take('[')) return {read_list(level)};
    if (peek() == '"') return {read_text()};
    if (take_word("true")) return {true};
    if (take_word("false")) return {false};
    if (take_word("null")) return {nullptr};
    return {read_number()};
  }

  Fields read_fields(int level) {
    Fields fields;
    if (take('}')) return fields;
    do {
      skip_spaces();
      std::string name = read_text();
      expect(':');
      fields.emplace_back(std::move(name), read(level + 1));
    } while (take(','));
    expect('}');
    return fields;
  }

  List read_list(int level) {
    List list;
    if (take(']')) return list;
    do {
      list.push_back(read(level + 1));
    } while (take(','));
    expect(']');
    return list;
  }

  Number read_number() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && std::strchr("+-.0123456789eE", text_[at_]) != nullptr) ++at_;
    const std::string text(text_.substr(begin, at_ - begin));
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) fail();
    return {text};
  }

  std::uint32_t read_hex() {
    std::uint32_t code = 0;
    if (at_ + 4 > text_.size()) fail();
    const char* const begin = text_.data() + at_;
    if (std::from_chars(begin, begin + 4, code, 16).ptr != begin + 4) fail();
    at_ += 4;
    return code;
  }

  static void append_utf8(std::string& text, std::uint32_t code) {
    if (code < 0x80) {
      text += static_cast<char>(code);
      return;
    }
    unsigned rest = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;  // bytes after the first
    constexpr std::uint32_t kFirst[] = {0, 0xC0, 0xE0, 0xF0};
    text += static_cast<char>(kFirst[rest] | (code >> (6 * rest)));
    while (rest-- > 0) text += static_cast<char>(0x80 | ((code >> (6 * rest)) & 0x3F));
  }

  void read_escape(std::string& text) {
    constexpr std::string_view kNames = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    const char c = peek();
    ++at_;
    if (c != 'u') {
      const std::size_t found = kNames.find(c);
      if (c == '\0' || found == kNames.npos) fail();
      text += kMeanings[found];
      return;
    }
    std::uint32_t code = read_hex();
    if (code >= 0xD800 && code < 0xDC00 && take_word("\\u")) {
      code = 0x10000 + ((code - 0xD800) << 10) + ((read_hex() - 0xDC00) & 0x3FF);
    }
    append_utf8(text, code);
  }

  std::string read_text() {
    expect('"');
    std::string text;
    for (;;) {
      const char c = peek();
      if (at_ >= text_.size() || static_cast<unsigned char>(c) < 0x20) fail();
      ++at_;
      if (c == '"') return text;
      if (c == '\\') {
        read_escape(text);
      } else {
        text += c;
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// ---- Options ------------------------------------------------------------------------------------

/// Of the Node that is followed.
constexpr const char* kMajorVersion = "26";

/// Options whose value is a number.
constexpr std::string_view kNumeric[] = {
    "--cpu-prof-interval",
    "--heap-prof-interval",
    "--max-http-header-size",
    "--network-family-autoselection-attempt-timeout",
    "--secure-heap",
    "--secure-heap-min",
    "--stack-trace-limit",
    "--test-concurrency",
    "--test-coverage-branches",
    "--test-coverage-functions",
    "--test-coverage-lines",
    "--test-random-seed",
    "--test-timeout",
};

struct Namespace {
  std::string_view name;
  std::array<std::string_view, 3> prefixes;  // of its options
  std::string_view enabled;                  // the option that it stands for
};

constexpr Namespace kNamespaces[] = {
    {"permission", {"--permission", "--allow-", "--allow-"}, "--permission"},
    {"test", {"--test", "--experimental-test-", "--experimental-test-"}, "--test"},
    {"watch", {"--watch", "--watch", "--watch"}, "--watch"},
};

const Option* find(std::span<const Option> table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &Option::name);
  return found == table.end() ? nullptr : &*found;
}

bool is_one_of(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

class ConfigReader {
 public:
  explicit ConfigReader(std::string path) : path_(std::move(path)) {}

  std::vector<std::string> read() {
    const Json root = parse();
    const auto* fields = root.as<Fields>();
    if (fields == nullptr) refuse("Root value unexpected not an object for " + path_ + "\n");
    read_fields(choose_version(*fields));
    return std::move(arguments_);
  }

 private:
  [[noreturn]] void refuse(const std::string& explanation) const {
    throw BadConfigFile{explanation, path_ + ": invalid content"};
  }

  [[noreturn]] void unexpected(const std::string& what, const char* wanted) const {
    refuse('"' + what + "\" value unexpected for " + path_ + " (should be an " + wanted + ")");
  }

  Json parse() const {
    try {
      return JsonReader(read_text()).read_all();
    } catch (int) {
      refuse("Can't parse " + path_);
    }
  }

  std::string read_text() const {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path_.c_str(), "re"),
                                                               std::fclose);
    std::string text;
    char buffer[4096];
    while (file != nullptr) {
      const std::size_t size = std::fread(buffer, 1, sizeof buffer, file.get());
      text.append(buffer, size);
      if (size < sizeof buffer) break;
    }
    if (file == nullptr || std::ferror(file.get()) != 0) {
      throw BadConfigFile{"Cannot read configuration from " + path_ + ": " + explain(errno),
                          path_ + ": not found"};
    }
    return text;
  }

  /// In the words of libuv.
  static std::string explain(int error) {
    switch (error) {
      case ENOENT:
        return "no such file or directory";
      case EISDIR:
        return "illegal operation on a directory";
      case EACCES:
        return "permission denied";
      case ENOTDIR:
        return "not a directory";
      default:
        return std::strerror(error);
    }
  }

  // ---- Versions

  /// What it says, if it is a whole number.
  static std::optional<std::int64_t> integer(const Json& json) {
    const auto* number = json.as<Number>();
    if (number == nullptr) return std::nullopt;
    std::int64_t value = 0;
    const char* const end = number->text.data() + number->text.size();
    const auto [last, error] = std::from_chars(number->text.data(), end, value);
    if (error != std::errc() || last != end) return std::nullopt;
    return value;
  }

  static const Json* field(const Fields& fields, std::string_view name) {
    const auto found = std::ranges::find(fields, name, &Fields::value_type::first);
    return found == fields.end() ? nullptr : &found->second;
  }

  static std::string current() { return kMajorVersion; }

  /// The fields that count: of the file, or of the first entry of "configs" for this version.
  const Fields& choose_version(const Fields& fields) const {
    const Json* configs = field(fields, "configs");
    if (configs == nullptr) return fields;
    for (const auto& [name, value] : fields) {
      if (name != "configs" && name != "$schema") {
        refuse("\"configs\" cannot be mixed with other configuration fields for " + path_);
      }
    }
    const List* list = configs->as<List>();
    if (list == nullptr) unexpected("configs", "array");
    for (std::size_t i = 0; i < list->size(); ++i) {
      const std::string where = "configs[" + std::to_string(i) + "]";
      const auto* entry = (*list)[i].as<Fields>();
      if (entry == nullptr) unexpected(where, "object");
      const Json* version = field(*entry, "nodeVersion");
      if (version == nullptr) refuse('"' + where + ".nodeVersion\" is required for " + path_);
      const auto wanted = integer(*version);
      if (!wanted) unexpected(where + ".nodeVersion", "integer");
      if (std::to_string(*wanted) != current()) continue;
      const Json* config = field(*entry, "config");
      if (config == nullptr) refuse('"' + where + ".config\" is required for " + path_);
      const auto* chosen = config->as<Fields>();
      if (chosen == nullptr) unexpected(where + ".config", "object");
      if (field(*chosen, "configs") != nullptr) {
        refuse("\"configs\" is not allowed inside a versioned config for " + path_);
      }
      return *chosen;
    }
    refuse("No config found for current Node.js version " + current() + " in \"configs\" for " +
           path_);
  }

  // ---- Namespaces

  void read_fields(const Fields& fields) {
    for (const auto& [name, value] : fields) {
      if (name == "$schema") continue;
      if (name == "nodeVersion") {
        check_version(value);
        continue;
      }
      if (name == "testRunner") {
        refuse("the \"testRunner\" namespace has been removed. Use \"test\" instead.");
      }
      const auto found = std::ranges::find(kNamespaces, name, &Namespace::name);
      const bool is_general = name == "nodeOptions";
      if (!is_general && found == std::end(kNamespaces)) refuse("Unknown namespace " + name);
      const auto* options = value.as<Fields>();
      if (options == nullptr) unexpected(name, "object");
      if (is_general) {
        for (const auto& [option, wanted] : *options) read_option(option, wanted, nullptr);
        continue;
      }
      // To have the namespace is to ask for what it is about.
      if (field(*options, found->enabled.substr(2)) == nullptr)
        arguments_.emplace_back(found->enabled);
      for (const auto& [option, wanted] : *options) read_option(option, wanted, &*found);
    }
  }

  void check_version(const Json& value) const {
    const auto wanted = integer(value);
    if (!wanted) unexpected("nodeVersion", "integer");
    if (std::to_string(*wanted) == current()) return;
    refuse("\"nodeVersion\" " + std::to_string(*wanted) +
           " does not match current Node.js version " + current() + " for " + path_);
  }

  void read_option(const std::string& key, const Json& value, const Namespace* space) {
    const std::string name = "--" + key;
    const Option* option = find(kOptions, name);
    const bool is_of_space =
        space == nullptr || std::ranges::any_of(space->prefixes, [&](std::string_view prefix) {
          return name.starts_with(prefix);
        });
    const bool is_allowed = space != nullptr || option == nullptr || !option->command_line_only;
    if (space == nullptr && option == nullptr) {
      if (find(kOptionsWithoutEffect, name) != nullptr) {
        refuse("No-op flag " + name + " is currently not supported");
      }
      if (is_one_of(kV8OptionsOfEnvironment, name) && name != "--stack-trace-limit") {
        refuse("V8 flag " + name + " is currently not supported");
      }
    }
    if (!is_of_space || !is_allowed || (option == nullptr && name != "--stack-trace-limit")) {
      refuse("Unknown or not allowed option " + key + " for namespace " +
             (space == nullptr ? "nodeOptions" : std::string(space->name)));
    }
    if (!seen_.insert(name).second) refuse("Option " + name + " is already defined");
    add(name, option == nullptr ? OptionKind::text : option->kind, value, space == nullptr);
  }

  // ---- Values

  void add(const std::string& name, OptionKind kind, const Json& value, bool is_general) {
    if (kind == OptionKind::flag) {
      const bool* wanted = value.as<bool>();
      if (wanted == nullptr) refuse("Invalid value for " + name);
      arguments_.push_back(*wanted ? name : "--no-" + name.substr(2));
      return;
    }
    if (kind == OptionKind::list) {
      if (const List* list = value.as<List>()) {
        for (const Json& item : *list) add_text(name, item, is_general);
        return;
      }
    }
    if (is_one_of(kNumeric, name)) {
      const auto number = integer(value);
      if (!number || *number < 0) refuse("Invalid value for " + name);
      arguments_.push_back(name + "=" + std::to_string(*number));
      return;
    }
    add_text(name, value, is_general);
  }

  void add_text(const std::string& name, const Json& value, bool is_general) {
    const auto* text = value.as<std::string>();
    if (text == nullptr) refuse("Invalid value for " + name);
    if (is_general && text->find(' ') != text->npos) {
      throw BadConfigFile{
          "", "The number of NODE_OPTIONS doesn't match the number of flags in the config file"};
    }
    arguments_.push_back(name + "=" + *text);
  }

  std::string path_;
  std::vector<std::string> arguments_;
  std::set<std::string> seen_;
};

}  // namespace

std::vector<std::string> read_config_file(const std::string& path) {
  return ConfigReader(path).read();
}

}  // namespace rondo
