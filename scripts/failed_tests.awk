# Reads JUnit reports of ctest and prints each failed test with the end of its output:
#
#   awk -f scripts/failed_tests.awk build/release/junit.xml
#
# A log that keeps only its last lines then still says what went wrong.

BEGIN { kept = 40 }

FNR == 1 { preset = FILENAME; sub(/\/[^\/]*$/, "", preset); sub(/.*\//, "", preset) }

/<testcase / {
  failed = /status="fail"/
  if (failed) {
    name = $0
    sub(/.*<testcase name="/, "", name)
    sub(/".*/, "", name)
    first = last = 0
  }
}

failed && /<system-out>/ { inside = 1; sub(/.*<system-out>/, "") }

failed && inside {
  ends = sub(/<\/system-out>.*/, "")
  lines[last++] = $0
  if (last - first > kept) delete lines[first++]
  if (!ends) next
  inside = 0
}

failed && /<\/testcase>/ || failed && ends {
  printf "failed: %s (%s)\n", name, preset
  for (i = first; i < last; ++i) {
    text = lines[i]
    gsub(/&lt;/, "<", text); gsub(/&gt;/, ">", text); gsub(/&quot;/, "\"", text); gsub(/&amp;/, "\\&", text)
    printf "    %s\n", text
    delete lines[i]
  }
  failed = ends = 0
}
