import { environmentName, flagName, flags } from '../flags.ts'
import { type Issue, joinPath } from '../issues.ts'
import type { Directory } from './directory.ts'
import { child, type Entry, texts } from './loose.ts'
import { own } from '../../core/own.ts'

const commandLineOnly = new Map<string, string>(
  flags.flatMap(({ key, neverFromFile }) =>
    neverFromFile === undefined ? [] : [[key, neverFromFile]],
  ),
)

/** Keys of `config` that a file may not have, for the reason a user should read. */
export function checkCommandLineOnly(root: Entry): Issue[] {
  const config = child(root, 'config')
  if (config === undefined) return []
  return Object.keys(config.value)
    .filter((key) => commandLineOnly.has(key))
    .map((key) => ({
      path: joinPath(config.path, key),
      message: `${commandLineOnly.get(key)}, so it is not taken from a file: use ${flagName(key)} or ${environmentName(key)}`,
    }))
}

export function checkConfig(root: Entry, directory: Directory): Issue[] {
  const config = child(root, 'config')
  if (config === undefined) return []
  return [
    ...directory.users.unknown(texts(config, 'autoApprove')),
    ...checkSigningKey(child(config, 'signingKey')),
  ]
}

/** The members of a private RSA key (RFC 7518 §6.3). */
function checkSigningKey(key: Entry | undefined): Issue[] {
  if (key === undefined) return []
  if (key.value['kty'] !== 'RSA') {
    return [
      {
        path: joinPath(key.path, 'kty'),
        message: 'must be "RSA": ID tokens are signed with RS256',
      },
    ]
  }
  return ['n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi']
    .filter((member) => typeof own(key.value, member) !== 'string')
    .map((member) => ({
      path: joinPath(key.path, member),
      message: 'is missing: the key must be a private JWK (RFC 7518 §6.3)',
    }))
}
