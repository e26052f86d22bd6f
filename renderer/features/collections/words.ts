import type { CollectionItemType } from '../../../server/contract/words/hub.ts'

/** Texts of this feature, in the order of its files. */
export const words = {
  // Page
  title: 'Collections',
  lead: 'Lists of repos, papers and other collections, with notes. Choose a user to see what they see and to act as them.',
  create: 'Create collection',
  filter: 'Filter collections',
  filterPlaceholder: 'Title, owner or description',
  collection: 'Collection',
  owner: 'Owner',
  access: 'Access',
  private: 'private',
  items: 'Items',
  upvotes: 'Upvotes',
  changed: 'Changed',
  empty: 'No collections yet',
  emptyHint: 'Create one here, or let a Hub client do it: create_collection of huggingface_hub.',
  noMatch: 'No matching collections',
  noneSeen: (user: string) => `${user} sees no collections`,
  noneSeenHint: 'The others are private.',

  // View as
  viewAs: 'View and act as',
  everything: 'owner',

  // Collection page
  all: 'All collections',
  edit: 'Edit',
  remove: 'Delete',
  removeTitle: (title: string) => `Delete the collection ${title}?`,
  removeAction: 'Delete collection',
  removeConsequence: 'Its items are not deleted, only the list of them and the notes.',
  addItem: 'Add item',
  mayOnlySee: (user: string) => `${user} may see this collection, but not change it.`,
  hiddenFrom: (items: string, user: string) =>
    `${items} not shown: ${user} may not see them, or they are gone.`,
  theOwner: 'the owner',

  // Item table
  item: 'Item',
  note: 'Note',
  actions: 'Actions',
  editNote: (target: string) => `Edit the note of ${target}`,
  moveUp: (target: string) => `Move ${target} up`,
  moveDown: (target: string) => `Move ${target} down`,
  removeItem: (target: string) => `Remove ${target}`,
  noItems: 'No items yet',
  noItemsHint: 'Add a repo, a paper or another collection.',

  // Collection dialog
  createTitle: 'Create a collection',
  editTitle: 'Edit the collection',
  save: 'Save',
  name: 'Title',
  description: 'Description',
  ownerHint: 'User or organization',
  theme: 'Color',
  isPrivate: 'Private: only its owner and members of the organization see it',

  // Item dialogs
  addTitle: 'Add an item',
  kind: 'Kind',
  kinds: {
    model: 'Model',
    dataset: 'Dataset',
    space: 'Space',
    bucket: 'Bucket',
    paper: 'Paper',
    collection: 'Collection',
  } satisfies Record<CollectionItemType, string>,
  target: 'Name',
  targetHints: {
    model: 'namespace/name',
    dataset: 'namespace/name',
    space: 'namespace/name',
    bucket: 'namespace/name',
    paper: 'arXiv id, such as 2307.09288',
    collection: 'Slug, such as acme/best-models-0123456789abcdef01234567',
  } satisfies Record<CollectionItemType, string>,
  noteTitle: (target: string) => `Note of ${target}`,

  // Requests
  created: 'Collection created',
  createFailed: 'Could not create the collection',
  saved: 'Collection saved',
  saveFailed: 'Could not save the collection',
  deleted: 'Collection deleted',
  deleteFailed: 'Could not delete the collection',
  added: 'Item added',
  addFailed: 'Could not add the item',
  itemChanged: 'Note saved',
  itemFailed: 'Could not change the item',
  itemRemoved: 'Item removed',
  itemNotRemoved: 'Could not remove the item',
} as const
