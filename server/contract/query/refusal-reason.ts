/** Longest explanation that is compared as a whole: a longer one quotes input. */
const longestReason = 200

/** Explanation by which refused requests are grouped: what the response said, and what only the log has. */
export function refusalReason({
  detail,
  error,
}: {
  detail?: string | undefined
  error?: string | undefined
}): string {
  return (detail || error || '').slice(0, longestReason)
}

/** Returns the query of requests that lists exactly those with this explanation. */
export function refusalQuery(reason: string): string {
  const quoted = `"${reason.replaceAll('"', '""')}"`
  // A cut one is the start of an explanation.
  return `is:refused reason:${quoted}${reason.length < longestReason ? '' : '*'}`
}
