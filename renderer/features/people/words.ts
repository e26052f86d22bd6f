/** Texts that several places of this feature share. */
export const words = {
  // Page
  addUser: 'Add user',
  addOrganization: 'Add organization',
  users: 'Users',
  organizations: 'Organizations',

  // Organization list
  edit: 'Edit',

  // User table
  email: 'Email',
  pro: 'PRO',

  // Organization dialog
  editTitle: (name: string) => `Edit ${name}`,
  save: 'Save',
  add: 'Add',
  fullName: 'Full name',
  remove: 'Remove',
  removeTitle: (name: string) => `Remove ${name}?`,
} as const
