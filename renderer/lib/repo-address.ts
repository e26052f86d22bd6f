/** A repo with its type before it, so that it is never taken for another of the same name. */
export function repoAddress({ type, name }: { type: string; name: string }): string {
  return `${type}s/${name}`
}
