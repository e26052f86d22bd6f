import { expect, test } from 'vitest'
import { rowText } from '../../../renderer/features/sign-ins/model/row-text.ts'
import { flowItem } from '../../helpers/query-items.ts'

const { app: _app, user: _user, ...anonymous } = flowItem({ explanation: 'Expired.' })

test.each([
  [flowItem(), 'Team board · alice'],
  [flowItem({ outcome: 'refused', explanation: 'Expired.' }), 'Team board · alice · Expired.'],
  [anonymous, 'Expired.'],
])('a row names app and user, and the reason of a refusal', (flow, text) => {
  expect(rowText(flow)).toBe(text)
})
