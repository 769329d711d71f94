'use strict';
// Durations as console.time() shows them.

const kSecond = 1000;
const kMinute = 60 * kSecond;
const kHour = 60 * kMinute;

function formatDuration(ms) {
  if (ms < kSecond) return `${Number(ms.toFixed(3))}ms`;
  if (ms < kMinute) return `${(ms / kSecond).toFixed(3)}s`;
  const hours = Math.floor(ms / kHour);
  const minutes = Math.floor((ms % kHour) / kMinute);
  const seconds = ((ms % kMinute) / kSecond).toFixed(3).padStart(6, '0');
  if (hours === 0) return `${minutes}:${seconds} (m:ss.mmm)`;
  return `${hours}:${String(minutes).padStart(2, '0')}:${seconds} (h:mm:ss.mmm)`;
}

module.exports = { formatDuration };
