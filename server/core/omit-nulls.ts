/** Returns the members that are not null. Many clients send null for a member that they leave out. */
export function omitNulls(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))
}
