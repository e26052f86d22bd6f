/** Repo with its type, which makes the name unambiguous. */
export function repoAddress({ type, name }: { type: string; name: string }): string {
  return `${type}s/${name}`
}
