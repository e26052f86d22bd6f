// Writes the notices and the bill of materials of the packages bundled into a distribution:
// node third-party.mjs DESTINATION FOLDER…, each FOLDER a build of Vite or a package that is shipped as it is.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/**
 * Package in a bundle, as Vite's `build.license` lists it.
 * @typedef {{ name: string, version: string, identifier?: string, text?: string }} BundledPackage
 */

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** @param {string} path */
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'))

/**
 * Packages in the given folders, each version once, sorted by name.
 * @param {readonly string[]} folders output folders of Vite, or packages
 * @returns {BundledPackage[]}
 */
export function bundledPackages(folders) {
  const found = folders.flatMap((folder) =>
    existsSync(join(folder, 'package.json')) ? [packageIn(folder)] : packagesOfBuild(folder),
  )
  const byVersion = new Map(found.map((entry) => [`${entry.name}@${entry.version}`, entry]))
  return [...byVersion.keys()].toSorted().flatMap((key) => byVersion.get(key) ?? [])
}

/**
 * Packages in a build of Vite. Vite lists scripts only, but a bundled style sheet keeps its banner:
 * `/*! name v1.2.3 | MIT License`.
 * @param {string} folder
 * @returns {BundledPackage[]}
 */
function packagesOfBuild(folder) {
  const scripts = readdirSync(join(folder, '.vite')).flatMap((file) =>
    readJson(join(folder, '.vite', file)),
  )
  const styles = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.css'))
    .flatMap((path) => [...readFileSync(join(folder, path), 'utf8').matchAll(/\/\*! (\S+) v\d/g)])
  return [...scripts, ...styles.map(([, name = '']) => packageIn(join(root, 'node_modules', name)))]
}

/**
 * @param {string} folder
 * @returns {BundledPackage}
 */
function packageIn(folder) {
  const { name, version, license } = readJson(join(folder, 'package.json'))
  const text = readFileSync(join(folder, 'LICENSE'), 'utf8').trim()
  return { name, version, identifier: license, text }
}

/**
 * Notices of all packages, in Markdown.
 * @param {readonly BundledPackage[]} packages
 */
export function notices(packages) {
  const sections = packages.map(({ name, version, identifier, text }) => {
    const fallback = 'The package ships no license text.'
    return `## ${name} ${version}\n\nLicense: ${identifier ?? 'unknown'}\n\n${fenced(text ?? fallback)}\n`
  })
  const intro = 'hub-sandbox includes the following packages.'
  return [`# Third-party notices\n\n${intro}\n`, ...sections].join('\n')
}

/** @param {string} text */
const fenced = (text) => `~~~text\n${text}\n~~~`

/**
 * Bill of materials that audit tools read.
 * @param {{ name: string, version: string, license: string }} product
 * @param {readonly BundledPackage[]} packages
 * @see CycloneDX 1.6
 */
export function billOfMaterials(product, packages) {
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: component('application', product.name, product.version, product.license),
    },
    components: packages.map(({ name, version, identifier }) =>
      component('library', name, version, identifier),
    ),
    dependencies: [
      {
        ref: packageUrl(product.name, product.version),
        dependsOn: packages.map(({ name, version }) => packageUrl(name, version)),
      },
    ],
  }
}

/**
 * @param {'application' | 'library'} type
 * @param {string} fullName
 * @param {string} version
 * @param {string | undefined} license SPDX expression
 */
function component(type, fullName, version, license) {
  const [name = fullName, group] = fullName.split('/').toReversed()
  const purl = packageUrl(fullName, version)
  return {
    type,
    'bom-ref': purl,
    ...(group !== undefined && { group }),
    name,
    version,
    ...(license !== undefined && { licenses: [{ expression: license }] }),
    purl,
  }
}

/**
 * Package URL of an npm package; the `@` of a scope is percent-encoded.
 * @param {string} name
 * @param {string} version
 */
const packageUrl = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`

const [, script = '', destination, ...folders] = process.argv
if (import.meta.url === pathToFileURL(script).href && destination !== undefined) {
  const packages = bundledPackages(folders)
  const bom = billOfMaterials(readJson(join(root, 'package.json')), packages)
  writeFileSync(join(destination, 'THIRD-PARTY-NOTICES.md'), notices(packages))
  writeFileSync(join(destination, 'bom.cdx.json'), `${JSON.stringify(bom, null, 2)}\n`)
}
