const storages = { xet: 'Xet', lfs: 'Git LFS' } as const

/** Texts of this feature, in the order of its files. */
export const words = {
  // Page
  repos: 'Repos',
  lead: 'Models, datasets, Spaces and buckets. Changes are real and trigger webhooks.',
  createRepo: 'Create repo',
  repo: 'Repo',
  unknown: 'Repo not found',
  noRepoWithId: (id: string) => `No repo has the id ${id}.`,

  // Repo table
  type: 'Type',
  all: 'All',
  models: 'Models',
  datasets: 'Datasets',
  spaces: 'Spaces',
  buckets: 'Buckets',
  filterRepos: 'Filter repos',
  name: 'Name',
  noReposYet: 'No repos yet',
  noMatch: 'No matching repos',
  emptyHint: 'Create one here, or with a Hub client that uses this sandbox.',
  access: 'Access',
  gatedBy: (gate: string) => `gated, ${gate}`,
  branches: 'Branches',
  tags: 'Tags',
  discussions: 'Discussions',
  head: 'Head',
  changed: 'Changed',
  settings: 'Settings',
  settingsOf: (name: string) => `Settings of ${name}`,

  // Bucket page
  bucketKind: 'bucket',
  filesWithSize: (files: number, size: string) =>
    files === 1 ? `1 file, ${size}` : `${files} files, ${size}`,
  sync: 'Sync',
  syncCommand: 'Sync command',
  emptyBucket: 'No files',
  emptyBucketHint:
    'Upload some with hf buckets sync, or with any Hub client that uses this sandbox.',
  furtherFiles: (count: number) => `And ${count} more`,

  // Comment form
  commentAs: (user: string) => `Comment as ${user}`,
  comment: 'Comment',

  // Commit dialog
  committed: 'Committed',
  pullRequestOpened: (number: number) => `Pull request #${number} opened`,
  editTitle: (path: string) => `Edit ${path}`,
  addFile: 'Add file',
  commitsTo: (revision: string, user: string) => `Commits to ${revision} as ${user}.`,
  commit: 'Commit',
  deleteFile: 'Delete file',
  path: 'Path',
  content: 'Content',
  commitTitle: 'Commit title',
  asPullRequest: 'As a pull request',
  outdated: (revision: string) =>
    `${revision} has moved on, but this file has not changed. Commit again.`,
  fileChanged: 'This file has changed since you opened it. Your text is kept.',
  fileDeleted: 'This file was deleted since you opened it. Your text is kept.',
  currentContent: 'Current content',
  currentPath: (path: string) => `${path} now`,
  overwrite: 'Overwrite',

  // Commit list
  commits: 'Commits',

  // Commit view
  author: 'Author',
  date: 'Date',
  parent: 'Parent',
  files: 'Files',
  noFilesChanged: 'No files changed.',
  changedFiles: 'Changed files',
  moreFiles: (count: string) => `And ${count} more.`,

  // Create repo dialog
  create: 'Create',
  model: 'Model',
  dataset: 'Dataset',
  space: 'Space',
  bucket: 'Bucket',
  readmeHint: 'Leave empty for no file',
  private: 'Private',

  // Discussion view
  allDiscussions: 'All discussions',
  discussion: 'Discussion',
  pullRequestFor: (branch: string) => `Pull request for ${branch}`,
  comments: 'Comments',
  mergeConflict: 'Cannot be merged:',
  changedOnBothSides: 'changed on both sides.',
  merge: 'Merge',
  close: 'Close',
  readyForReview: 'Ready for review',
  reopen: 'Reopen',

  // Discussions tab
  openDiscussion: 'Open discussion',
  noDiscussionsYet: 'No discussions yet',
  noDiscussionsHint: 'Open one here, or commit as a pull request.',

  // File view
  firstMebibyteOnly: 'Only the first MiB is shown; the file cannot be edited here.',
  edit: 'Edit',
  source: 'Source',
  preview: 'Preview',
  viewAs: 'View as',
  fileWithoutText: (size: string, storage: 'xet' | 'lfs' | undefined) =>
    storage === undefined
      ? `Binary file (${size})`
      : `Large file (${size}), stored by ${storages[storage]}. The commit has a pointer to it.`,
  download: 'Download',
  storages,
  showLess: 'Show less',
  showMoreLines: (count: string) => `Show ${count} more lines`,
  showAllOf: (size: string) => `Show all of ${size}`,

  // Files tab
  noFilesAtThisRevision: 'No files at this revision',

  // More button
  showMore: 'Show more',

  // Open discussion dialog
  actingAsUser: (user: string) => `As ${user}.`,
  open: 'Open',
  title: 'Title',
  charactersFromTo: (min: number, max: number) => `${min} to ${max} characters`,
  firstComment: 'First comment',
  draftPullRequest: 'Draft pull request, without commits yet',

  // Refs tab
  branchesAndTags: 'Branches and tags',
  deleteRef: (kind: string, name: string) => `Delete ${kind} ${name}`,
  deleteRefTitle: (kind: string, name: string) => `Delete ${kind} ${name}?`,
  delete: 'Delete',
  deleteRefConsequence: (user: string) =>
    `As ${user}. Commits that are reachable from other branches or tags are kept.`,
  kind: 'Kind',
  branch: 'Branch',
  tag: 'Tag',

  // Repo dialog
  gate: 'Gate',
  notGated: 'Not gated',
  gatedAutomatic: 'Gated, automatic approval',
  gatedManual: 'Gated, manual approval',
  viewOnHub: 'View on Hub',
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteRepo: 'Delete repo',
  deleteConsequence:
    'Its files, discussions and pull requests are deleted too. Webhooks are notified.',
  likes: 'Likes',
  downloads: 'Downloads',
  created: 'Created',
  accessRequests: 'Access requests',
  filesOnMain: 'Files on main',
  noFilesYet: 'No files yet.',
  discussionsAndPullRequests: 'Discussions and pull requests',

  // Repo page
  clone: 'Clone',
  cloneCommand: 'Clone command',
  allRepos: 'All repos',
  realChanges: 'Changes here are real and trigger webhooks.',
  view: 'View',
  actingAs: 'Acting as',

  // Revision select
  tagNamed: (name: string) => `tag ${name}`,
  pullRequest: (number: number) => `pull request #${number}`,
  revision: 'Revision',

  // Timeline entry
  theHub: 'the Hub',
  commentHidden: 'This comment was hidden.',
  noDescription: 'No description.',
  changedStatus: (status: string) => `changed the status to ${status}`,
  changedTitle: (from: string, to: string) => `changed the title from “${from}” to “${to}”`,
  madeCommit: (subject: string, commit: string) => `committed “${subject}” (${commit})`,

  // Diff view
  changes: 'Changes',
  changesOf: (path: string) => `Changes of ${path}`,
  showMoreFiles: (files: string) => `Show changes of ${files} more`,

  // Content requests
  deleteRefFailed: 'Could not delete it',

  // Requests
  repoCreated: 'Repo created',
  repoChanged: 'Repo changed',
  updateFailed: 'Could not change the repo',
  repoDeleted: 'Repo deleted',
  deleteFailed: 'Could not delete the repo',

  // Access tab
  accessLead: 'Users who asked for access to this gated repo.',
  noAccessRequests: 'No access requests',
  noAccessRequestsHint: 'A user asks for access on the page of the repo.',
  accept: 'Accept',
  reject: 'Reject',
  grantedBy: (user: string) => `granted by ${user}`,
  reasonOf: (reason: string) => `Reason: ${reason}`,
  rejectTitle: (user: string) => `Reject ${user}`,
  reason: 'Reason',
  reasonHint: 'Optional; the user sees it.',
  decideFailed: 'Could not change the access request',
} as const
