import type { Issue } from '../issues.ts'
import type { Directory } from './directory.ts'
import { duplicates, type Entry, entries, texts, textOf } from './loose.ts'

export function checkUsers(root: Entry): Issue[] {
  const users = entries(root, 'users')
  const tokens = users.flatMap((user) => entries(user, 'tokens'))
  const emails = users.flatMap((user) => {
    const username = textOf(user, 'username')
    const given = texts(user, 'email')
    if (given.length > 0 || username === undefined) return given
    return [{ path: user.path, text: `${username.toLowerCase()}@example.com` }]
  })
  return [
    // One that follows from the name is as good as the name.
    ...users
      .flatMap((user) => texts(user, 'email'))
      .filter(({ text }) => !/^[^\s@]+@[^\s@]+$/.test(text))
      .map(({ path, text }) => ({ path, message: `is no e-mail address: ${text}` })),
    ...duplicates(emails, 'e-mail address'),
    ...duplicates(
      users.flatMap((user) => texts(user, 'id')),
      'id',
    ),
    ...duplicates(
      tokens.flatMap((token) => texts(token, 'token')),
      'token',
    ),
    ...tokens.flatMap((token) => {
      const isFineGrained = token.value['role'] === 'fineGrained'
      const hasRights = token.value['fineGrained'] !== undefined
      if (isFineGrained === hasRights) return []
      const message = hasRights
        ? 'rights of a fine-grained token need its role to be fineGrained'
        : 'a fineGrained token needs its rights in fineGrained'
      return [{ path: token.path, message }]
    }),
  ]
}

export function checkOrganizations(root: Entry, directory: Directory): Issue[] {
  const organizations = entries(root, 'organizations')
  const namespaces = [
    ...entries(root, 'users').flatMap((user) => texts(user, 'username')),
    ...organizations.flatMap((organization) => texts(organization, 'name')),
  ]
  return [
    ...duplicates(namespaces, 'name'),
    ...duplicates(
      organizations.flatMap((organization) => texts(organization, 'id')),
      'id',
    ),
    ...organizations.flatMap((organization) => checkMembers(organization, directory)),
  ]
}

function checkMembers(organization: Entry, directory: Directory): Issue[] {
  const { users } = directory
  const members = entries(organization, 'members').flatMap((member) => texts(member, 'user'))
  const groups = entries(organization, 'resourceGroups')
  const name = textOf(organization, 'name') ?? ''
  const isMember = (user: string) =>
    directory.members.get(name.toLowerCase())?.has(user.toLowerCase()) === true
  const insiders = [
    ...groups.flatMap((group) => entries(group, 'members')).flatMap((it) => texts(it, 'user')),
    ...entries(organization, 'securityRestrictions').flatMap((it) => texts(it, 'users')),
  ]
  return [
    ...users.unknown([...members, ...insiders]),
    ...duplicates(members, 'member'),
    ...duplicates(
      groups.flatMap((group) => texts(group, 'name')),
      'resource group',
    ),
    ...groups.flatMap((group) =>
      duplicates(
        entries(group, 'members').flatMap((member) => texts(member, 'user')),
        'member',
      ),
    ),
    ...insiders
      .filter(({ text }) => users.has(text) && !isMember(text))
      .map(({ path, text }) => ({ path, message: `${text} is not a member of ${name}` })),
  ]
}
