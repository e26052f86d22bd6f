import { basename } from 'node:path'

/**
 * Whether npm has cloned the repository to install it as a dependency (`npm install git+https://…`) and will pack the
 * result of `prepare`. npm installs the development packages for it, in such a folder.
 * @param {string} root the repository
 * @param {Readonly<Record<string, string | undefined>>} env
 */
export function isGitDependency(root, env) {
  return Boolean(env['_PACOTE_NO_PREPARE_']) || basename(root).startsWith('git-clone')
}
