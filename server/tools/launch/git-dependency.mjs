import { basename } from 'node:path'

/**
 * Whether npm has cloned the repository to install it as a dependency (`npm install git+https://…`): then it packs what
 * `prepare` leaves behind. It installs the development packages with the one, and works in such a folder at last.
 * @param {string} root the repository
 * @param {Readonly<Record<string, string | undefined>>} env
 */
export function isGitDependency(root, env) {
  return Boolean(env['_PACOTE_NO_PREPARE_']) || basename(root).startsWith('git-clone')
}
