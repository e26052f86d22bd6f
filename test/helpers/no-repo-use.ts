import type { RepoUse } from '../../server/store/objects/object-store.ts'

/** A state that names no repo and no content. */
export const noRepoUse: RepoUse = {
  isUsed: () => false,
  listKept: async () => ({ ids: new Set(), targets: new Set() }),
}
