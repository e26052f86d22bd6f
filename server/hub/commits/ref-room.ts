/**
 * Finds refs that conflict: in a clone refs are files, and a path cannot be a file and a folder.
 */
export class RefRoom {
  readonly #refs: Set<string>
  /** Folders, each with a ref in it. */
  readonly #folders = new Map<string, string>()

  /** @param refs full names of existing refs */
  constructor(refs: Iterable<string>) {
    this.#refs = new Set()
    for (const ref of refs) this.add(ref)
  }

  add(ref: string): void {
    this.#refs.add(ref)
    for (const folder of foldersOf(ref)) this.#folders.set(folder, ref)
  }

  /** Returns the existing ref that conflicts with a new one. */
  findClash(ref: string): string | undefined {
    return this.#folders.get(ref) ?? foldersOf(ref).find((folder) => this.#refs.has(folder))
  }
}

/** `refs/heads/a/b` → `refs`, `refs/heads`, `refs/heads/a` */
function foldersOf(ref: string): string[] {
  return [...ref.matchAll(/\//g)].map(({ index }) => ref.slice(0, index))
}
