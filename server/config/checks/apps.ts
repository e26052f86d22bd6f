import { parseDuration } from '../../core/duration.ts'
import { virtualAddressProblem } from '../../oauth/metadata-document.ts'
import { redirectUriProblem } from '../../oauth/redirect-uri.ts'
import { isScope, scopes } from '../../oauth/scope.ts'
import { suggestion } from '../../core/suggestion.ts'
import { type Issue, joinPath } from '../issues.ts'
import type { Directory } from './directory.ts'
import { child, duplicates, type Entry, entries, texts, textOf } from './loose.ts'

const longestTokenMs = 30 * 86_400_000

export function checkApps(root: Entry, directory: Directory): Issue[] {
  const apps = entries(root, 'apps')
  const unnumbered = apps.filter((app) => textOf(app, 'clientId') === undefined)
  return [
    ...duplicates(
      apps.flatMap((app) => texts(app, 'clientId')),
      'client id',
    ),
    ...duplicates(
      unnumbered.flatMap((app) => texts(app, 'name')),
      'name (apps of one name need a clientId each)',
    ),
    ...apps.flatMap((app) => [
      ...checkRedirectUris(app),
      ...checkScopes(app),
      ...directory.users.unknown(texts(app, 'owner')),
      ...directory.organizations.unknown([
        ...texts(app, 'organization'),
        ...texts(app, 'authorizedOrganizations'),
      ]),
      ...checkPrivileges(app),
      ...checkTokenDuration(app),
    ]),
  ]
}

function checkRedirectUris(app: Entry): Issue[] {
  return texts(app, 'redirectUris').flatMap(({ path, text }) => {
    const problem = redirectUriProblem(text)
    if (problem === undefined) return []
    return [{ path, message: `${JSON.stringify(text)} cannot be a redirect URI: ${problem}` }]
  })
}

function checkScopes(app: Entry): Issue[] {
  return texts(app, 'scopes')
    .filter(({ text }) => !isScope(text))
    .map(({ path, text }) => ({
      path,
      message: `there is no scope ${JSON.stringify(text)}${suggestion(text, Object.keys(scopes))}`,
    }))
}

function checkPrivileges(app: Entry): Issue[] {
  return texts(app, 'privileges')
    .filter(({ text }) => text === 'token-exchange')
    .flatMap(({ path }) => [
      ...(app.value['organization'] === undefined
        ? [{ path, message: 'token-exchange needs the app to be bound to an organization' }]
        : []),
      ...(app.value['clientSecret'] === undefined
        ? [{ path, message: 'token-exchange needs the app to have a clientSecret' }]
        : []),
    ])
}

function checkTokenDuration(app: Entry): Issue[] {
  return texts(app, 'tokenDuration')
    .filter(({ text }) => (parseDuration(text) ?? 0) > longestTokenMs)
    .map(({ path, text }) => ({ path, message: `must be at most 30d, not ${text}` }))
}

export function checkMetadataDocuments(root: Entry): Issue[] {
  const documents = child(root, 'clientMetadataDocuments')
  if (documents === undefined) return []
  return Object.keys(documents.value).flatMap((address) => {
    const problem = virtualAddressProblem(address)
    if (problem === undefined) return []
    return [{ path: joinPath(documents.path, address), message: `the key ${problem}` }]
  })
}
