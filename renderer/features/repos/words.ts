/** Texts of this feature, in the order of its files. */
export const words = {
  // Page
  repos: 'Repos',
  lead: 'Models, datasets and Spaces. Changes are real and trigger webhooks.',
  createRepo: 'Create repo',
  repo: 'Repo',
  unknown: 'Repo not found',

  // Repo table
  type: 'Type',
  all: 'All',
  models: 'Models',
  datasets: 'Datasets',
  spaces: 'Spaces',
  filterRepos: 'Filter repos',
  name: 'Name',
  noReposYet: 'No repos yet',
  noMatch: 'No matching repos',
  emptyHint: 'Create one here, or with a Hub client that uses this sandbox.',
  access: 'Access',
  branches: 'Branches',
  tags: 'Tags',
  discussions: 'Discussions',
  head: 'Head',
  changed: 'Changed',
  settings: 'Settings',
  settingsOf: (name: string | number) => `Settings of ${name}`,

  // Comment form
  commentAs: (user: string | number) => `Comment as ${user}`,
  comment: 'Comment',

  // Commit dialog
  committed: 'Committed',
  pullRequestOpened: (number: string | number) => `Pull request #${number} opened`,
  editTitle: (path: string | number) => `Edit ${path}`,
  addFile: 'Add file',
  commitsTo: (revision: string | number, user: string | number) =>
    `Commits to ${revision} as ${user}.`,
  commit: 'Commit',
  deleteFile: 'Delete file',
  path: 'Path',
  content: 'Content',
  commitTitle: 'Commit title',
  asPullRequest: 'As a pull request',
  fileChanged: 'This file has changed since you opened it. Your text is kept.',
  fileDeleted: 'This file was deleted since you opened it. Your text is kept.',
  currentContent: 'Current content',
  currentPath: (path: string | number) => `${path} now`,
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

  // Create repo dialog
  create: 'Create',
  model: 'Model',
  dataset: 'Dataset',
  space: 'Space',
  readmeHint: 'Leave empty for no file',
  private: 'Private',

  // Discussion view
  allDiscussions: 'All discussions',
  pullRequestFor: (branch: string | number) => `Pull request for ${branch}`,
  discussion: 'Discussion',
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
  showLess: 'Show less',
  showMoreLines: (count: string | number) => `Show ${count} more lines`,
  showAllOf: (size: string | number) => `Show all of ${size}`,

  // Files tab
  allFiles: 'All files',
  noFilesAtThisRevision: 'No files at this revision',

  // More button
  showMore: 'Show more',

  // Open discussion dialog
  actingAsUser: (user: string | number) => `As ${user}.`,
  open: 'Open',
  title: 'Title',
  charactersFromTo: (min: string | number, max: string | number) => `${min} to ${max} characters`,
  firstComment: 'First comment',
  draftPullRequest: 'Draft pull request, without commits yet',

  // Refs tab
  branchesAndTags: 'Branches and tags',
  deleteRef: (kind: string | number, name: string | number) => `Delete ${kind} ${name}`,
  deleteRefTitle: (kind: string | number, name: string | number) => `Delete ${kind} ${name}?`,
  delete: 'Delete',
  deleteRefConsequence: (user: string | number) =>
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
  deleteTitle: (name: string | number) => `Delete ${name}?`,
  deleteRepo: 'Delete repo',
  deleteConsequence:
    'Its files, discussions and pull requests are deleted too. Webhooks are notified.',
  likes: 'Likes',
  downloads: 'Downloads',
  created: 'Created',
  accessRequests: 'Access requests',
  accessOf: (user: string | number) => `Access of ${user}`,
  pending: 'pending',
  accepted: 'accepted',
  rejected: 'rejected',
  filesOnMain: 'Files on main',
  noFilesYet: 'No files yet.',
  discussionsAndPullRequests: 'Discussions and pull requests',

  // Repo page
  allRepos: 'All repos',
  realChanges: 'Changes here are real and trigger webhooks.',
  view: 'View',
  actingAs: 'Acting as',

  // Revision select
  tagNamed: (name: string | number) => `tag ${name}`,
  pullRequest: (number: string | number) => `pull request #${number}`,
  revision: 'Revision',

  // Timeline entry
  theHub: 'the Hub',
  commentHidden: 'This comment was hidden.',
  noDescription: 'No description.',
  changedStatus: (status: string | number) => `changed the status to ${status}`,
  changedTitle: (from: string | number, to: string | number) =>
    `changed the title from “${from}” to “${to}”`,
  madeCommit: (subject: string | number, commit: string | number) =>
    `committed “${subject}” (${commit})`,

  // Content requests
  deleteRefFailed: 'Could not delete it',

  // Requests
  repoCreated: 'Repo created',
  repoChanged: 'Repo changed',
  updateFailed: 'Could not change the repo',
  repoDeleted: 'Repo deleted',
  deleteFailed: 'Could not delete the repo',
  outdated: (revision: string) =>
    `${revision} has moved on, but this file has not changed. Commit again.`,
  moreFiles: (count: string) => `And ${count} more.`,
  binaryFile: (size: string) => `Binary file (${size})`,
  gatedBy: (gate: string) => `gated, ${gate}`,
  noRepoWithId: (id: string) => `No repo has the id ${id}.`,
} as const
