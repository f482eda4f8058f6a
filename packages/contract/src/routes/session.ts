import Type from 'typebox'
import { route } from '../route.ts'
import { LogIn, PasswordChange, Registration, Session, TeamSwitch } from '../schema/session.ts'

/** How people come in. Who is logged in has a cookie, which is also a second way into the User API (ruling 13). */
export const sessionRoutes = {
  logIn: route({
    method: 'POST',
    path: '/api/session',
    surface: 'login',
    summary: 'Log in',
    description:
      'Sets a cookie for this site. Every write with it also needs X-CSRF-Token, which is in this answer, and must come ' +
      'from a page of this site.',
    body: LogIn,
    envelope: 'created',
    reply: Session,
    message: 'Logged in',
  }),
  getSession: route({
    method: 'GET',
    path: '/api/session',
    surface: 'session',
    summary: 'Who is logged in',
    envelope: 'item',
    reply: Session,
  }),
  switchTeam: route({
    method: 'PATCH',
    path: '/api/session',
    surface: 'session',
    summary: 'Go on in another of your teams',
    body: TeamSwitch,
    envelope: 'updated',
    reply: Session,
    message: 'Team switched',
  }),
  logOut: route({
    method: 'DELETE',
    path: '/api/session',
    surface: 'session',
    summary: 'Log out',
    envelope: 'deleted',
    reply: Type.Null(),
    message: 'Logged out',
  }),
  changePassword: route({
    method: 'PUT',
    path: '/api/session/password',
    surface: 'session',
    summary: 'Change your password',
    description: 'Ends all other log-ins of yours.',
    body: PasswordChange,
    envelope: 'updated',
    reply: Session,
    message: 'Password changed',
  }),
  register: route({
    method: 'POST',
    path: '/api/registration',
    surface: 'registration',
    summary: 'Make an account and a team of your own',
    description: 'Where the operator allows it; logs in.',
    body: Registration,
    envelope: 'created',
    reply: Session,
    message: 'Welcome',
  }),
}
