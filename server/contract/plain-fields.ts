import { Type } from 'typebox'

// Fields of schemas: a type and its description.

export const text = (description: string) => Type.String({ description })
export const flag = (description: string) => Type.Boolean({ description })
/** A flag that is off when it is not given. */
export const offFlag = (description: string) => Type.Boolean({ description, default: false })
export const integer = (description: string) => Type.Integer({ description })
export const number = (description: string) => Type.Number({ description })
