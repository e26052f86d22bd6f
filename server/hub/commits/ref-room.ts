/**
 * Tells which refs cannot be beside each other: in the repos of those who fetch, refs are files, and what is a file is no
 * folder.
 */
export class RefRoom {
  readonly #refs: Set<string>
  /** What is a folder, and a ref in it. */
  readonly #folders = new Map<string, string>()

  /** @param refs full names of those that are there */
  constructor(refs: Iterable<string>) {
    this.#refs = new Set()
    for (const ref of refs) this.add(ref)
  }

  add(ref: string): void {
    this.#refs.add(ref)
    for (const folder of foldersOf(ref)) this.#folders.set(folder, ref)
  }

  /** The ref that is in the way of one that is to be made. */
  findClash(ref: string): string | undefined {
    return this.#folders.get(ref) ?? foldersOf(ref).find((folder) => this.#refs.has(folder))
  }
}

/** `refs/heads/a/b` → `refs`, `refs/heads`, `refs/heads/a` */
function foldersOf(ref: string): string[] {
  return [...ref.matchAll(/\//g)].map(({ index }) => ref.slice(0, index))
}
