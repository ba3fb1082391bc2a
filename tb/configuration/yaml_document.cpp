#include "tb/configuration/yaml_document.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <boost/locale/utf.hpp>
#include <sstream>

#include "hw/core/error.h"
#include "tb/configuration/value_text.h"

namespace fredsim::tb {
namespace {

std::string place_of(const std::string& name, int line, int column) {
  return fmt::format("{}:{}:{}", name, line + 1, column + 1);
}

/// What yaml-cpp would accept, change or stop at without a word.
void check_characters(const std::string& text, const std::string& name) {
  using Utf8 = boost::locale::utf::utf_traits<char>;
  int line = 0;
  int column = 0;
  bool indentation = true;
  bool tab = false;
  const auto refuse = [&](const std::string& what) {
    throw hw::InputError(fmt::format("{}: {}", place_of(name, line, column), what));
  };
  for (auto at = text.begin(); at != text.end();) {
    const auto start = at;
    const auto character = Utf8::decode(at, text.end());
    if (character == boost::locale::utf::illegal || character == boost::locale::utf::incomplete) {
      refuse(fmt::format("the byte 0x{:02x} is not UTF-8; a configuration is text in UTF-8",
                         static_cast<unsigned char>(*start)));
    }
    if (character == '\n') {
      ++line;
      column = 0;
      indentation = true;
      tab = false;
      continue;
    }
    const bool control = character < 0x20 || (character >= 0x7f && character < 0xa0);
    if (control && character != '\t' && character != '\r') {
      refuse(fmt::format("control character 0x{:02x}; a configuration is plain text", character));
    }
    tab = tab || (indentation && character == '\t');
    indentation = indentation && (character == ' ' || character == '\t');
    if (tab && !indentation && character != '#' && character != '\r') {
      refuse("the line is indented with a tab; YAML is indented with spaces only");
    }
    if (!indentation) tab = false;
    column += static_cast<int>(at - start);
  }
}

/// Builds the tree of a document from the parser's events.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(const std::string& text, const std::string& name) : text_(text), name_(name) {}

  YamlNode take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (seen_) refuse(mark, "a second document; a configuration is one document");
    seen_ = true;
  }
  void OnDocumentEnd() override {}

  void OnAnchor(const YAML::Mark& mark, const std::string& anchor) override {
    refuse(mark, fmt::format("anchor {}: anchors and aliases are not allowed; write the value out",
                             in_quotes(anchor)));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    refuse(mark, "anchors and aliases are not allowed; write the value out");
  }
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    if (expects_key()) refuse(mark, "a key is missing before the colon");
    YamlNode* node = put(mark, YamlNode::Kind::null, "");
    // yaml-cpp notices at the next token, which may be lines further down.
    if (in_mapping()) node->place = open_.back()->members.back().place;
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                const std::string& value) override {
    check_tag(mark, tag);
    check_quote(mark);
    if (expects_key()) {
      if (value == "<<") refuse(mark, "merge keys (<<) are not allowed; write the values out");
      open_.back()->members.push_back({value, place(mark), {}});
      key_pending_ = true;
      return;
    }
    put(mark, tag == "!" ? YamlNode::Kind::quoted : YamlNode::Kind::plain, value);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    check_tag(mark, tag);
    if (expects_key()) refuse(mark, "a list cannot be a key");
    open_.push_back(put(mark, YamlNode::Kind::sequence, ""));
  }
  void OnSequenceEnd() override { open_.pop_back(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    check_tag(mark, tag);
    if (expects_key()) refuse(mark, "a mapping cannot be a key");
    open_.push_back(put(mark, YamlNode::Kind::mapping, ""));
  }
  void OnMapEnd() override { open_.pop_back(); }

 private:
  std::string place(const YAML::Mark& mark) const { return place_of(name_, mark.line, mark.column); }

  [[noreturn]] void refuse(const YAML::Mark& mark, const std::string& what) const {
    throw hw::InputError(fmt::format("{}: {}", place(mark), what));
  }

  void check_tag(const YAML::Mark& mark, const std::string& tag) const {
    // yaml-cpp reports plain values as "?" and quoted ones as "!".
    if (!tag.empty() && tag != "?" && tag != "!") {
      refuse(mark, fmt::format("tag {}: tags are not allowed", in_quotes(tag)));
    }
  }

  /// yaml-cpp lets the end of the file close a quote, which may then have swallowed half of the file.
  void check_quote(const YAML::Mark& mark) const {
    const std::size_t byte_order_mark = text_.compare(0, 3, "\xef\xbb\xbf") == 0 ? 3 : 0;
    std::size_t at = byte_order_mark + static_cast<std::size_t>(mark.pos);
    if (at >= text_.size() || (text_[at] != '"' && text_[at] != '\'')) return;
    const char quote = text_[at];
    const char escape = quote == '"' ? '\\' : '\'';
    for (++at; at < text_.size(); ++at) {
      if (text_[at] == escape && (escape != quote || text_.compare(at, 2, "''") == 0)) {
        ++at;
      } else if (text_[at] == quote) {
        return;
      }
    }
    refuse(mark, fmt::format("the quote {} is not closed", quote));
  }

  bool in_mapping() const { return !open_.empty() && open_.back()->kind == YamlNode::Kind::mapping; }
  bool expects_key() const { return in_mapping() && !key_pending_; }

  /// Store a value where one is due: as the root, behind the last key, or as the next of a list. Its address
  /// holds until its parent gets another or ends.
  YamlNode* put(const YAML::Mark& mark, YamlNode::Kind kind, const std::string& text) {
    if (!open_.empty() && !in_mapping()) open_.back()->items.emplace_back();
    YamlNode& node = open_.empty()  ? root_
                     : in_mapping() ? open_.back()->members.back().value
                                    : open_.back()->items.back();
    node.kind = kind;
    node.text = text;
    node.place = place(mark);
    key_pending_ = false;
    return &node;
  }

  const std::string& text_;
  const std::string& name_;
  YamlNode root_;
  std::vector<YamlNode*> open_;  ///< mappings and lists being read, outermost first
  bool key_pending_ = false;     ///< the innermost one has a key that waits for its value
  bool seen_ = false;
};

YamlNode parse_document(const std::string& text, const std::string& name) {
  check_characters(text, name);
  TreeBuilder builder(text, name);
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    const std::string place =
        error.mark.is_null() ? name : place_of(name, error.mark.line, error.mark.column);
    throw hw::InputError(fmt::format("{}: YAML syntax error: {}", place, error.msg));
  }
  return builder.take();
}

}  // namespace

YamlNode parse_yaml(const std::string& text, const std::string& name) {
  YamlNode root = parse_document(text, name);
  if (root.kind == YamlNode::Kind::null) {
    throw hw::InputError(place_of(name, 0, 0) +
                         ": the file is empty; a configuration is a mapping of keys to values");
  }
  if (root.kind != YamlNode::Kind::mapping) {
    throw hw::InputError(
        fmt::format("{}: a configuration is a mapping of keys to values (key: value)", root.place));
  }
  return root;
}

YamlNode parse_yaml_list(const std::string& text, const std::string& name) {
  YamlNode root = parse_document(text, name);
  if (root.kind == YamlNode::Kind::sequence) return root;
  throw hw::InputError(fmt::format("{}: this is no list", place_of(name, 0, 0)));
}

}  // namespace fredsim::tb
