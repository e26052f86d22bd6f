import type { CollectionItemType } from '../../../server/contract/words/hub-words.ts'

/** Texts that several places of this feature share. */
export const words = {
  // Page
  title: 'Collections',
  create: 'Create collection',
  collection: 'Collection',
  owner: 'Owner',
  private: 'private',
  items: 'Items',

  // View as
  viewAs: 'View and act as',

  // Collection page
  addItem: 'Add item',
  readOnlyFor: (viewer: string) => `${viewer} may see this collection, but not change it.`,

  // Item table
  note: 'Note',

  // Collection dialog
  save: 'Save',

  // Item dialogs
  kinds: {
    model: 'Model',
    dataset: 'Dataset',
    space: 'Space',
    bucket: 'Bucket',
    paper: 'Paper',
    collection: 'Collection',
  } satisfies Record<CollectionItemType, string>,
  targetHints: {
    model: 'namespace/name',
    dataset: 'namespace/name',
    space: 'namespace/name',
    bucket: 'namespace/name',
    paper: 'arXiv id, such as 2307.09288',
    collection: 'Slug, such as acme/best-models-0123456789abcdef01234567',
  } satisfies Record<CollectionItemType, string>,
} as const
