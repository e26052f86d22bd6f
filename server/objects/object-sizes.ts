/** Sizes of objects, by repo. So many are remembered of all repos that what lists files has room for all of them. */
export class ObjectSizes {
  readonly #most: number
  readonly #repos = new Map<string, Map<string, number>>()
  #count = 0

  /** @param most more are forgotten, all at once */
  constructor(most = 200_000) {
    this.#most = most
  }

  /** In bytes; `undefined` where it is not known. */
  get(repoId: string, id: string): number | undefined {
    return this.#repos.get(repoId)?.get(id)
  }

  set(repoId: string, id: string, size: number): void {
    if (this.#count >= this.#most) this.#forgetAll()
    let sizes = this.#repos.get(repoId)
    if (sizes === undefined) this.#repos.set(repoId, (sizes = new Map()))
    const before = sizes.size
    sizes.set(id, size)
    this.#count += sizes.size - before
  }

  delete(repoId: string, id: string): void {
    if (this.#repos.get(repoId)?.delete(id) === true) this.#count -= 1
  }

  /** Forgets those of a repo. */
  clear(repoId: string): void {
    this.#count -= this.#repos.get(repoId)?.size ?? 0
    this.#repos.delete(repoId)
  }

  #forgetAll(): void {
    this.#repos.clear()
    this.#count = 0
  }
}
