const segmentPattern = /^[\w~-][\w.~-]*$/

/**
 * Returns the part of the path after `/webhooks/`, without slashes around it.
 * @throws {TypeError} for a name that a URL would change
 */
export function endpointName(name: string): string {
  const trimmed = name.replace(/^\/+/, '').replace(/\/+$/, '')
  if (trimmed.split('/').every((segment) => segmentPattern.test(segment))) return trimmed
  throw new TypeError(
    `Invalid name ${JSON.stringify(name)} for a webhook endpoint: use letters, digits, "_", "-", "~" and ".", with "/" between parts. Pass a name before an anonymous function.`,
  )
}
