import type { Static, TArray, TObject, TOptional, TSchema, TUnion } from 'typebox'
import type { FixturesSchema } from './fixtures.ts'
import type { FilledIn } from './fixtures/field.ts'

/** Static type of a request or file, in which lists may be read-only. */
type Given<T> = T extends readonly unknown[]
  ? { readonly [Key in keyof T]: Given<T[Key]> }
  : T extends object
    ? { [Key in keyof T]: Given<T[Key]> }
    : T

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T

/** Names of the properties that may still be absent once defaults are filled in. */
type Absent<P> = {
  [Key in keyof P]: P[Key] extends FilledIn ? never : P[Key] extends TOptional ? Key : never
}[keyof P]

/** Static type of a schema once defaults are filled in. */
type Complete<S extends TSchema> =
  S extends TObject<infer P>
    ? { readonly [Key in Exclude<keyof P, Absent<P>>]: Complete<P[Key]> } & {
        readonly [Key in Absent<P>]?: Complete<P[Key]>
      }
    : S extends TArray<infer Item>
      ? readonly Complete<Item>[]
      : S extends TUnion<infer Parts>
        ? Complete<Parts[number]>
        : DeepReadonly<Static<S>>

/** A fixtures file as written: all fields are optional. */
export interface FixturesFile extends Given<Static<typeof FixturesSchema>> {}

/** A fixtures file with its defaults filled in. */
export interface Fixtures extends Complete<typeof FixturesSchema> {}

type ItemOf<List> = NonNullable<List> extends readonly (infer Item)[] ? Item : never

export type UserFixtureInput = ItemOf<FixturesFile['users']>
export type TokenFixtureInput = ItemOf<UserFixtureInput['tokens']>
export type OrganizationFixtureInput = ItemOf<FixturesFile['organizations']>
export type AppFixtureInput = ItemOf<FixturesFile['apps']>
export type RepoFixtureInput = ItemOf<FixturesFile['repos']>
export type DiscussionFixtureInput = ItemOf<RepoFixtureInput['discussions']>
export type CollectionFixtureInput = ItemOf<FixturesFile['collections']>
export type WebhookFixtureInput = ItemOf<FixturesFile['webhooks']>
export type JobFixtureInput = ItemOf<FixturesFile['jobs']>
export type ScheduledJobFixtureInput = ItemOf<FixturesFile['scheduledJobs']>
export type InferenceEndpointFixtureInput = ItemOf<FixturesFile['inferenceEndpoints']>

export type UserFixture = Fixtures['users'][number]
export type OrganizationFixture = Fixtures['organizations'][number]
export type AppFixture = Fixtures['apps'][number]
export type RepoFixture = Fixtures['repos'][number]
export type DiscussionFixture = RepoFixture['discussions'][number]
export type CollectionFixture = Fixtures['collections'][number]
export type WebhookFixture = Fixtures['webhooks'][number]
export type JobFixture = Fixtures['jobs'][number]
export type ScheduledJobFixture = Fixtures['scheduledJobs'][number]
export type InferenceEndpointFixture = Fixtures['inferenceEndpoints'][number]
export type InferenceRule = Fixtures['inference']['rules'][number]
export type FixturesConfig = Fixtures['config']
export type LifetimesConfig = FixturesConfig['lifetimes']
export type CapsConfig = FixturesConfig['caps']
export type LogFixture = NonNullable<Fixtures['log']>
export type LoggedRequest = LogFixture['requests'][number]
export type LoggedMessage = LoggedRequest['request']
