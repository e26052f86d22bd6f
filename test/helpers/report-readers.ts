import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { installCached } from './cached-install.ts'
import { npm, outputOf } from './packed.ts'

/** Package with the published schema of SARIF 2.1.0, and a strict parser of XML. */
const packages = ['@microsoft/jest-sarif@1.0.0-beta.0', 'saxes@6.0.0']
const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-save', '--prefer-offline']

/** A test case of a JUnit file. */
export interface JunitCase {
  readonly name: string
  readonly result: 'passed' | 'skipped' | 'failure' | 'error'
}

/** Content of a JUnit file. */
export interface Junit {
  /** Counts of the suite, as they are written there. */
  readonly counts: Readonly<Record<string, string>>
  readonly cases: readonly JunitCase[]
}

/** Readers of reports that were written by others. */
export interface ReportReaders {
  /** Returns what is wrong with a SARIF file by the published schema. */
  readonly sarifErrors: (text: string) => unknown[]
  /** @throws {Error} if the file is not well-formed */
  readonly readJunit: (text: string) => Junit
}

interface XmlTag {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
}

interface XmlParser {
  on(event: 'error', listener: (error: Error) => void): void
  on(event: 'opentag' | 'closetag', listener: (tag: XmlTag) => void): void
  write(text: string): XmlParser
  close(): void
}

/** Installs the readers. @returns why they cannot be installed, if so */
export async function installReportReaders(): Promise<ReportReaders | string> {
  const { folder, obstacle } = await installCached('reports', packages, async (target) => {
    writeFileSync(join(target, 'package.json'), '{ "private": true }')
    outputOf(npm(['install', ...flags, ...packages], target))
  })
  if (obstacle !== undefined) return obstacle
  const path = 'node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'
  const {
    $schema: _draft4,
    id: _id,
    ...schema
  } = JSON.parse(readFileSync(join(folder, path), 'utf8')) as Record<string, object>
  const validate = addFormats
    .default(new Ajv({ strict: false, unicodeRegExp: false }))
    .compile(schema)
  const { SaxesParser } = createRequire(join(folder, 'package.json'))('saxes') as {
    SaxesParser: new () => XmlParser
  }
  return {
    sarifErrors(text) {
      validate(JSON.parse(text))
      return validate.errors ?? []
    },
    readJunit: (text) => readJunit(new SaxesParser(), text),
  }
}

function readJunit(parser: XmlParser, text: string): Junit {
  let counts: Readonly<Record<string, string>> = {}
  const cases: { name: string; result: JunitCase['result'] }[] = []
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const current = cases.at(-1)
    if (name === 'testsuite') counts = attributes
    else if (name === 'testcase') cases.push({ name: attributes['name'] ?? '', result: 'passed' })
    else if (name === 'skipped' || name === 'failure' || name === 'error') {
      if (current !== undefined) current.result = name
    }
  })
  parser.write(text).close()
  return { counts, cases }
}
