import { FixturesSchema } from '../contract/fixtures.ts'
import type { JsonSchema } from './json-schema.ts'

/** The schema of the fixtures file as the plain JSON Schema that it is. */
export const fixturesSchema = FixturesSchema as object as JsonSchema
