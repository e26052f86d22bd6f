const storages = { xet: 'Xet', lfs: 'Git LFS' } as const

/** Texts that several places of this feature share. */
export const words = {
  // Page
  repos: 'Repos',
  createRepo: 'Create repo',
  repo: 'Repo',

  // Repo table
  type: 'Type',
  name: 'Name',
  gatedBy: (gate: string) => `gated, ${gate}`,
  branches: 'Branches',
  tags: 'Tags',
  discussions: 'Discussions',
  requests: 'Requests',
  deliveries: 'Deliveries',
  settings: 'Settings',

  // Bucket page
  filesWithSize: (files: number, size: string) =>
    files === 1 ? `1 file, ${size}` : `${files} files, ${size}`,
  emptyBucketHint:
    'Upload some with hf buckets sync, or with any Hub client that uses this sandbox.',

  // Commit dialog
  addFile: 'Add file',
  commit: 'Commit',
  path: 'Path',

  // Commit list
  commits: 'Commits',

  // Commit view
  files: 'Files',
  noFilesChanged: 'No files changed.',

  // Create repo dialog
  create: 'Create',
  space: 'Space',
  private: 'Private',

  // Discussions tab
  openDiscussion: 'Open discussion',

  // File view
  fileWithoutText: (size: string, storage: 'xet' | 'lfs' | undefined) =>
    storage === undefined
      ? `Binary file (${size})`
      : `Large file (${size}), stored by ${storages[storage]}. The commit has a pointer to it.`,
  storages,
  showMoreLines: (count: string) => `Show ${count} more lines`,

  // Refs tab
  branchesAndTags: 'Branches and tags',
  delete: 'Delete',

  // Repo dialog
  viewOnHub: 'View on Hub',
  deleteConsequence:
    'Its files, discussions and pull requests are deleted too. Webhooks are notified.',
  accessRequests: 'Access requests',

  // Repo page
  allRepos: 'All repos',
  actingAs: 'Acting as',

  // Diff view
  changes: 'Changes',

  // Access tab
  reject: 'Reject',
} as const
