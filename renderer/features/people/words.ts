/** Texts of this feature, in the order of its files. */
export const words = {
  // Page
  title: 'Users & organizations',
  lead: 'Accounts, roles and memberships.',
  addUser: 'Add user',
  addOrganization: 'Add organization',
  show: 'Show',
  users: 'Users',
  organizations: 'Organizations',

  // Organization list
  noOrganizations: 'No organizations',
  emptyHint: 'Add one to try roles, token exchange and the audit log.',
  moreMembers: (count: string) => `and ${count} more`,
  groupOf: (name: string, members: number) => `group ${name}: ${members}`,
  forAll: 'for all members',
  auditLog: 'Audit log',
  edit: 'Edit',

  // User table
  user: 'User',
  email: 'Email',
  notVerified: 'not verified',
  account: 'Account',
  pro: 'PRO',
  paymentMethod: 'payment method',
  password: 'password',
  subject: 'sub',
  actions: 'Actions',
  noUsers: 'No users',
  noUsersHint: 'Signing in requires a user. Add one, or reset to the fixtures.',

  // Organization dialog
  notAMember: 'not a member',
  noAccess: 'no access',
  read: 'read',
  contributor: 'contributor',
  write: 'write',
  admin: 'admin',
  twoFactorAuthenticationRequired: 'Two-factor authentication required',
  singleSignOnRequired: 'Single sign-on required',
  ipAddressNotAllowed: 'IP address not allowed',
  tokenPolicy: 'Token violates the policy',
  tokenRevokedByAnAdministrator: 'Token revoked by an administrator',
  editTitle: (name: string) => `Edit ${name}`,
  save: 'Save',
  add: 'Add',
  name: 'Name',
  plan: 'Plan',
  planHint: 'Token exchange requires enterprise or plus',
  fullName: 'Full name',
  members: 'Members',
  roleOf: (username: string) => `Role of ${username}`,
  newReposArePrivate: 'New repos are private by default',
  restrictions: 'Simulate access restrictions',
  remove: 'Remove',
  removeTitle: (name: string) => `Remove ${name}?`,
  removeOrganization: 'Remove organization',
  removeOrganizationConsequence: (belongings: string, memberships: string) =>
    `This also deletes ${belongings}collections, its audit log and ${memberships}. Its users stay.`,

  // User dialog
  username: 'Username',
  emailVerified: 'Email verified',
  hasPaymentMethod: 'Has a payment method',
  removeUser: 'Remove user',
  removeUserConsequence: (belongings: string) =>
    `This also deletes ${belongings}collections, memberships and app authorizations. Tokens and sessions stop working at once.`,

  // Requests
  userAdded: 'User added',
  userSaved: 'User saved',
  userRemoved: 'User removed',
  removeUserFailed: 'Could not remove the user',
  organizationAdded: 'Organization added',
  organizationSaved: 'Organization saved',
  organizationRemoved: 'Organization removed',
  removeOrganizationFailed: 'Could not remove the organization',
} as const
