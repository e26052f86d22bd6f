import type { ControlFacts } from '../../app-module.ts'

/** Returns why modules that send a callback by themselves, or read pages, cannot judge an app. */
export function inBrowser({ driver }: ControlFacts): string | undefined {
  return driver.isBrowser
    ? undefined
    : 'The sandbox drives no browser in this audit: pass --start with the URL where a sign-in begins.'
}
