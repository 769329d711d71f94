// No native error: where it was thrown is shown as for any other object.
throw new DOMException('reported', 'AbortError');
