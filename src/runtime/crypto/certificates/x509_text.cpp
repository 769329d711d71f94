#include "runtime/crypto/certificates/x509_text.h"

#include <openssl/objects.h>

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "runtime/crypto/bytes.h"
#include "runtime/crypto/keys/key_codec.h"
#include "runtime/crypto/openssl_ptr.h"

namespace rondo::crypto {
namespace {

std::string_view text_in(const ASN1_STRING* text) {
  return {reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)),
          static_cast<std::size_t>(ASN1_STRING_length(text))};
}

// ---- Names that might mislead -------------------------------------------------------------------

enum class Charset : std::uint8_t { ascii, utf8 };

bool is_printable(char letter, Charset charset) {
  const auto code = static_cast<unsigned char>(letter);
  return code >= ' ' && code != 0x7f && (code < 0x80 || charset == Charset::utf8);
}

/// Whether a list of such names can be split at ", " without doubt.
bool is_plain(std::string_view name, Charset charset) {
  return std::ranges::all_of(name, [&](char letter) {
    return is_printable(letter, charset) && letter != '"' && letter != '\\' && letter != ',' &&
           letter != '\'';
  });
}

void append_escaped(std::string& out, char letter, Charset charset) {
  if (letter == '\\' || letter == '"') {
    out += '\\';
    out += letter;
  } else if (is_printable(letter, charset) && letter != ',') {
    out += letter;
  } else {
    char escape[8];
    std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned char>(letter));
    out += escape;
  }
}

/// As it is if it is plain, else as a JSON string. `label` comes before it, within the quotes.
void append_name(std::string& out, std::string_view name, Charset charset = Charset::ascii,
                 std::string_view label = {}) {
  const bool plain = is_plain(name, charset);
  if (!plain) out += '"';
  if (!label.empty()) out.append(label).append(":");
  for (const char letter : name) {
    if (plain) {
      out += letter;
    } else {
      append_escaped(out, letter, charset);
    }
  }
  if (!plain) out += '"';
}

// ---- GeneralName --------------------------------------------------------------------------------

void append_address(std::string& out, ByteView bytes) {
  char text[8];
  if (bytes.size() == 4) {
    for (std::size_t i = 0; i < 4; ++i) {
      std::snprintf(text, sizeof text, i == 0 ? "%d" : ".%d", bytes[i]);
      out += text;
    }
  } else if (bytes.size() == 16) {
    for (std::size_t i = 0; i < 16; i += 2) {
      std::snprintf(text, sizeof text, i == 0 ? "%X" : ":%X", bytes[i] << 8 | bytes[i + 1]);
      out += text;
    }
  } else {
    out += "<invalid length=" + std::to_string(bytes.size()) + ">";
  }
}

struct OtherName {
  int nid;
  const char* label;
  int type;  // of ASN.1
};
constexpr OtherName kOtherNames[] = {
    {NID_id_on_SmtpUTF8Mailbox, "SmtpUTF8Mailbox", V_ASN1_UTF8STRING},
    {NID_XmppAddr, "XmppAddr", V_ASN1_UTF8STRING},
    {NID_SRVName, "SRVName", V_ASN1_IA5STRING},
    {NID_ms_upn, "UPN", V_ASN1_UTF8STRING},
    {NID_NAIRealm, "NAIRealm", V_ASN1_UTF8STRING},
};

void append_other_name(std::string& out, const OTHERNAME* name) {
  out += "othername:";
  const auto* known = std::ranges::find(kOtherNames, OBJ_obj2nid(name->type_id), &OtherName::nid);
  if (known == std::end(kOtherNames) || name->value->type != known->type) {
    out += "<unsupported>";
    return;
  }
  append_name(out, text_in(name->value->value.asn1_string),
              known->type == V_ASN1_UTF8STRING ? Charset::utf8 : Charset::ascii, known->label);
}

bool append_directory_name(std::string& out, const X509_NAME* name) {
  // As RFC 2253 has it, but without escapes of its own for what is not ASCII.
  constexpr unsigned long kFlags =
      XN_FLAG_RFC2253 & ~static_cast<unsigned long>(ASN1_STRFLGS_ESC_MSB | ASN1_STRFLGS_ESC_CTRL);
  const BioPtr bio(BIO_new(BIO_s_mem()));
  if (X509_NAME_print_ex(bio.get(), name, 0, kFlags) < 0) return false;
  out += "DirName:";
  append_name(out, text_of_bytes(contents_of(bio.get())), Charset::utf8);
  return true;
}

bool append_general_name(std::string& out, const GENERAL_NAME* name) {
  switch (name->type) {
    case GEN_DNS:
      out += "DNS:";
      append_name(out, text_in(name->d.dNSName));
      return true;
    case GEN_EMAIL:
      out += "email:";
      append_name(out, text_in(name->d.rfc822Name));
      return true;
    case GEN_URI:
      out += "URI:";
      append_name(out, text_in(name->d.uniformResourceIdentifier));
      return true;
    case GEN_DIRNAME:
      return append_directory_name(out, name->d.dirn);
    case GEN_IPADD:
      out += "IP Address:";
      append_address(out, bytes_of_text(text_in(name->d.ip)));
      return true;
    case GEN_RID: {
      // Numbers, never the name that OpenSSL may have for it.
      char text[256];
      OBJ_obj2txt(text, sizeof text, name->d.rid, 1);
      out.append("Registered ID:").append(text);
      return true;
    }
    case GEN_OTHERNAME:
      append_other_name(out, name->d.otherName);
      return true;
    case GEN_X400:
      out += "X400Name:<unsupported>";
      return true;
    case GEN_EDIPARTY:
      out += "EdiPartyName:<unsupported>";
      return true;
    default:
      return false;
  }
}

using InfoAccessPtr = OpenSslPtr<AUTHORITY_INFO_ACCESS, AUTHORITY_INFO_ACCESS_free>;

/// The first extension of this kind, decoded.
void* extension_of(const X509* certificate, int nid) {
  const int index = X509_get_ext_by_NID(certificate, nid, -1);
  return index < 0 ? nullptr : X509V3_EXT_d2i(X509_get_ext(certificate, index));
}

}  // namespace

std::optional<std::string> subject_alt_name_of(const X509* certificate) {
  const GeneralNamesPtr names(
      static_cast<GENERAL_NAMES*>(extension_of(certificate, NID_subject_alt_name)));
  if (names == nullptr) return std::nullopt;
  std::string out;
  for (int i = 0; i < sk_GENERAL_NAME_num(names.get()); ++i) {
    if (i != 0) out += ", ";
    if (!append_general_name(out, sk_GENERAL_NAME_value(names.get(), i))) return std::nullopt;
  }
  return out;
}

std::optional<std::string> info_access_of(const X509* certificate) {
  const InfoAccessPtr list(
      static_cast<AUTHORITY_INFO_ACCESS*>(extension_of(certificate, NID_info_access)));
  if (list == nullptr) return std::nullopt;
  std::string out;
  for (int i = 0; i < sk_ACCESS_DESCRIPTION_num(list.get()); ++i) {
    const ACCESS_DESCRIPTION* item = sk_ACCESS_DESCRIPTION_value(list.get(), i);
    char method[80];
    i2t_ASN1_OBJECT(method, sizeof method, item->method);
    if (i != 0) out += '\n';
    out.append(method).append(" - ");
    if (!append_general_name(out, item->location)) return std::nullopt;
  }
  return out;
}

std::optional<std::string> text_of_name(const X509_NAME* name) {
  constexpr unsigned long kFlags = ASN1_STRFLGS_ESC_2253 | ASN1_STRFLGS_ESC_CTRL |
                                   ASN1_STRFLGS_UTF8_CONVERT | XN_FLAG_SEP_MULTILINE |
                                   XN_FLAG_FN_SN;
  const BioPtr bio(BIO_new(BIO_s_mem()));
  if (X509_NAME_print_ex(bio.get(), name, 0, kFlags) <= 0) return std::nullopt;
  return std::string(text_of_bytes(contents_of(bio.get())));
}

std::string text_of_time(const ASN1_TIME* time) {
  const BioPtr bio(BIO_new(BIO_s_mem()));
  ASN1_TIME_print(bio.get(), time);
  return std::string(text_of_bytes(contents_of(bio.get())));
}

std::optional<std::string> fingerprint_of(const X509* certificate, const EVP_MD* digest) {
  unsigned char bytes[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  if (X509_digest(certificate, digest, bytes, &size) != 1) return std::nullopt;
  std::string out;
  for (unsigned i = 0; i < size; ++i) {
    char pair[4];
    std::snprintf(pair, sizeof pair, i == 0 ? "%02X" : ":%02X", bytes[i]);
    out += pair;
  }
  return out;
}

std::optional<std::string> serial_number_of(const X509* certificate) {
  const BnPtr number(ASN1_INTEGER_to_BN(X509_get0_serialNumber(certificate), nullptr));
  if (number == nullptr) return std::nullopt;
  char* text = BN_bn2hex(number.get());
  if (text == nullptr) return std::nullopt;
  std::string out(text);
  OPENSSL_free(text);
  return out;
}

}  // namespace rondo::crypto
