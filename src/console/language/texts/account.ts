import type { Translated } from './translations.ts';

/** Texts about the reader's own account: a forgotten password, the second factor, sessions. */
export const ACCOUNT = {
  'Forgotten password': { fr: 'Mot de passe oublié', pt: 'Palavra-passe esquecida' },
  'You get a link with which you choose a new password.': {
    fr: 'Vous recevrez un lien pour choisir un nouveau mot de passe.',
    pt: 'Receberá uma ligação para escolher uma nova palavra-passe.',
  },
  'Send the link': { fr: 'Envoyer le lien', pt: 'Enviar a ligação' },
  'Send another link': { fr: 'Envoyer un autre lien', pt: 'Enviar outra ligação' },
  'Check your mail': { fr: 'Consultez votre messagerie', pt: 'Consulte o seu correio' },
  'If the address has an account, a link is on its way. It works for 30 minutes.': {
    fr: 'Si un compte correspond à cette adresse, un lien est en route. Il est valable 30 minutes.',
    pt: 'Se o endereço tiver uma conta, a ligação já foi enviada. É válida durante 30 minutos.',
  },
  'Enter your e-mail address.': { fr: 'Saisissez votre adresse e-mail.', pt: 'Indique o seu endereço de e-mail.' },
  'Choose a new password': { fr: 'Choisir un nouveau mot de passe', pt: 'Escolher uma nova palavra-passe' },
  'This link was used or has expired. Ask for a new one.': {
    fr: 'Ce lien a déjà servi ou a expiré. Demandez-en un nouveau.',
    pt: 'Esta ligação já foi usada ou expirou. Peça uma nova.',
  },
  'Your password is changed': { fr: 'Votre mot de passe est modifié', pt: 'A sua palavra-passe foi alterada' },
  'All sessions have ended. Log in with the new password.': {
    fr: 'Toutes les sessions sont terminées. Connectez-vous avec le nouveau mot de passe.',
    pt: 'Todas as sessões terminaram. Inicie sessão com a nova palavra-passe.',
  },
} as const satisfies Translated;
