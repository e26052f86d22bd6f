import { isObject } from '../../core/is-object.ts'
import { type RepoType, spaceSdks } from '../../contract/words/hub-words.ts'
import { licenses, shortLanguages } from '../../contract/words/readme-words.ts'
import { own } from '../../core/own.ts'

// The hub's rules for the metadata of a README, in its own words. Fields without a rule accept any value.

/** Limit of reported problems in one list. */
const mostProblems = 100

type Fields = Readonly<Record<string, unknown>>

/** Returns the problems of a value, each with its path. */
type Rule = (value: unknown, path: string) => string[]

/** Returns all problems of a README's metadata. */
export function problemsOfMetadata(value: unknown, repoType: RepoType): string[] {
  if (!isObject(value)) return ['the metadata must be an object']
  return [
    ...problemsIn(value, everywhere),
    // Without one a Space cannot be built.
    ...(repoType === 'space' ? oneOf(spaceSdks)(own(value, 'sdk'), 'sdk') : []),
    ...problemsIn(value, only[repoType]),
  ]
}

/** Checks one or several licenses. */
export const checkLicense = oneOrMore(
  // The hub lists "array" among the valid values.
  oneOf(licenses, [...licenses, 'array']),
)

/** Name of a repo, with or without its namespace; the hub's message contains this pattern. */
const repoPattern = /^(?:[\w-]+\/)?[\w-.]+$/

const tags: Rule = (value, path) => {
  const isFine = Array.isArray(value) && value.every((item) => typeof item === 'string')
  return isFine || value === null ? [] : [`"${path}" must be an array of texts`]
}

const language = textWith((value, path) => {
  if (value !== value.toLowerCase()) return [`"${path}" must only contain lowercase characters`]
  // ISO 639-3 has thousands of codes: any code of three letters is accepted.
  const isKnown = value.length === 2 ? shortLanguages.has(value) : /^[a-z]{3}$/.test(value)
  if (isKnown || value === 'code' || value === 'multilingual') return []
  return [
    `"${path}" with value ${JSON.stringify(value)} is not valid. It must be an ISO 639-1, 639-2 or 639-3 code (two/three letters), or a special value like "code", "multilingual". If you want to use BCP-47 identifiers, you can specify them in language_bcp47.`,
  ]
})

const baseModel = repoName('is not valid. Use a model id from https://hf.co/models.')
const dataset = repoName('is not valid. If possible, use a dataset id from https://hf.co/datasets.')
const datasetType = repoName(`fails to match the required pattern: ${String(repoPattern)}`)

const shortDescription = textWith((value, path) => {
  const isShort = value.length <= 60
  return isShort ? [] : [`"${path}" length must be less than or equal to 60 characters long`]
})

const text = textWith(() => [])

const anything: Rule = () => []

const result = withAll({
  task: withAll({ type: text }),
  dataset: withAll(
    { type: datasetType, name: text },
    { config: text, split: text, revision: text },
  ),
  metrics: arrayOf(withAll({ type: text, value: anything })),
})

const modelIndex: Rule = (value, path) =>
  value === null ? [] : arrayOf(withAll({ results: arrayOf(result) }))(value, path)

/** Colors of a Space's thumbnail. */
const color = oneOf(['red', 'yellow', 'green', 'blue', 'indigo', 'purple', 'pink', 'gray'])

const everywhere = { tags, license: checkLicense }
const ofCards = { language: oneOrMore(language) }
const only: Readonly<Record<RepoType, Readonly<Record<string, Rule>>>> = {
  model: {
    ...ofCards,
    datasets: oneOrMore(dataset),
    widget: arrayOf(anything),
    base_model: oneOrMore(baseModel),
    'model-index': modelIndex,
  },
  dataset: ofCards,
  space: {
    colorFrom: color,
    colorTo: color,
    short_description: shortDescription,
  },
}

/** Applies rules to optional fields. */
function problemsIn(fields: Fields, rules: Readonly<Record<string, Rule>>, above = ''): string[] {
  return Object.entries(rules).flatMap(([name, rule]) => {
    const value = own(fields, name)
    return value === undefined ? [] : rule(value, above + name)
  })
}

/** Builds a rule for a string with further checks. */
function textWith(problemsOf: (value: string, path: string) => string[]): Rule {
  return (value, path) => {
    if (typeof value !== 'string') return [mustBe(path, 'a string')]
    return value === '' ? [`"${path}" is not allowed to be empty`] : problemsOf(value, path)
  }
}

/** @param problem text for an invalid name of a repo */
function repoName(problem: string): Rule {
  return textWith((value, path) =>
    repoPattern.test(value) ? [] : [`"${path}" with value ${JSON.stringify(value)} ${problem}`],
  )
}

/** Builds a rule for an object with required and optional fields. */
function withAll(
  required: Readonly<Record<string, Rule>>,
  optional: Readonly<Record<string, Rule>> = {},
): Rule {
  return (value, path) => {
    if (!isObject(value)) return [mustBe(path, 'of type object')]
    const problems = Object.entries(required).flatMap(([name, rule]) => {
      const [field, place] = [own(value, name), `${path}.${name}`]
      return field === undefined ? [`"${place}" is required`] : rule(field, place)
    })
    return [...problems, ...problemsIn(value, optional, `${path}.`)]
  }
}

function arrayOf(rule: Rule): Rule {
  return (value, path) => {
    if (!Array.isArray(value)) return [mustBe(path, 'an array')]
    const problems: string[] = []
    for (const [index, item] of value.entries()) {
      for (const problem of rule(item, `${path}[${index}]`)) problems.push(problem)
      if (problems.length >= mostProblems) break
    }
    return problems
  }
}

/** Builds a rule for one value or an array. */
function oneOrMore(rule: Rule): Rule {
  return (value, path) => (Array.isArray(value) ? arrayOf(rule) : rule)(value, path)
}

/** @param named values that the message lists */
function oneOf(words: readonly string[], named = words): Rule {
  return (value, path) =>
    words.some((word) => word === value) ? [] : [mustBe(path, `one of [${named.join(', ')}]`)]
}

function mustBe(path: string, what: string): string {
  return `"${path}" must be ${what}`
}
