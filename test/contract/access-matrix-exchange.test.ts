import { testAccessOf } from '../helpers/access-matrix.ts'

testAccessOf('tokens of a token exchange')
