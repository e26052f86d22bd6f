const segmentPattern = /^[\w~-][\w.~-]*$/

/**
 * The part of the path after `/webhooks/`: slashes around it do not count, those within do.
 * @throws {TypeError} for names that an address would not carry unchanged
 */
export function endpointName(name: string): string {
  const trimmed = name.replace(/^\/+/, '').replace(/\/+$/, '')
  if (trimmed.split('/').every((segment) => segmentPattern.test(segment))) return trimmed
  throw new TypeError(
    `Invalid name ${JSON.stringify(name)} for a webhook endpoint: use letters, digits, "_", "-", "~" and ".", with "/" between parts. Pass a name before an anonymous function.`,
  )
}
