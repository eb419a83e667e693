import type { Texts } from './english.ts';
import { counter } from './plural.ts';

const days = counter('fr', { one: 'jour', other: 'jours' });
const hours = counter('fr', { one: 'heure', other: 'heures' });
const minutes = counter('fr', { one: 'minute', other: 'minutes' });

export const FRENCH: Texts = {
  secure: 'Paiement sécurisé sous séquestre',
  testMode: { name: 'Mode test', text: 'Ceci n’est pas un vrai paiement. Aucun argent n’est transféré.' },
  title: {
    open: (amount, company) => `Payer ${amount} – ${company}`,
    card: (amount, company) => `Payer ${amount} par carte – ${company}`,
    processing: (amount) => `En attente de votre paiement de ${amount}`,
    paid: (amount) => `Payé\u00a0: ${amount}`,
  },

  summary: {
    youPay: 'Vous payez',
    youPaid: 'Vous avez payé',
    amount: 'Montant',
    seller: 'Vendeur',
    through: 'Via',
    buyer: 'À l’attention de',
    order: 'Commande',
    validUntil: 'Valable jusqu’au',
    items: 'Votre commande',
    quantity: (quantity, price) => `${quantity} × ${price}`,
    fees: 'Frais',
    adjustment: 'Ajustement',
    total: 'À payer',
    paid: 'Payé',
  },
  timeLeft: {
    days: (dayCount, hourCount) => `encore ${days(dayCount)} et ${hours(hourCount)}`,
    hours: (hourCount, minuteCount) => `encore ${hours(hourCount)} et ${minutes(minuteCount)}`,
    minutes: (minuteCount) => `encore ${minutes(minuteCount)}`,
    moments: 'moins d’une minute restante',
  },

  escrow: {
    heading: 'Votre argent est sous séquestre\u00a0: il n’est pas encore versé',
    lead: (company) =>
      `${company} conserve votre paiement sous séquestre. Le vendeur sait que l’argent est là, mais ne peut pas encore en disposer.`,
    steps: [
      { title: 'Vous payez', text: () => 'L’argent est bloqué pour cette seule commande.' },
      { title: 'Vous recevez votre commande', text: () => 'Vérifiez qu’elle correspond à ce qui était convenu.' },
      { title: 'Le vendeur est payé', text: (company) => `L’argent reste bloqué jusqu’à ce que ${company} le libère.` },
    ],
    problem: (company) =>
      `Un problème\u00a0? Signalez-le à ${company} avant le versement. ${company} peut alors garder l’argent bloqué jusqu’à ce que le problème soit réglé, et ce qui n’est pas versé au vendeur vous est rendu.`,
    autoRelease: (hourCount) =>
      `Sauf problème signalé entre-temps, l’argent est versé automatiquement ${hours(hourCount)} après l’annonce de la livraison.`,
  },

  methods: {
    heading: 'Comment souhaitez-vous payer\u00a0?',
    card: {
      name: 'Carte ou virement',
      hint: 'Visa, Mastercard, virement bancaire',
      text: 'Les données de votre carte sont transmises directement à la plateforme de paiement. Ni nous ni le vendeur n’y avons accès.',
      button: 'Continuer vers le formulaire de carte',
    },
    mobile: {
      name: 'Mobile money',
      hint: 'À valider sur votre téléphone',
      label: 'Numéro de compte mobile money',
      help: 'Au format national, ou avec + et l’indicatif du pays.',
      button: (amount) => `Demander ${amount} à mon téléphone`,
    },
    balance: {
      name: 'Votre solde',
      hint: (company) => `L’argent dont vous disposez chez ${company}`,
      text: (company) =>
        `Nous envoyons un code par WhatsApp au numéro de téléphone que vous avez communiqué à ${company}.`,
      send: 'Recevoir un code',
      sendAgain: 'Recevoir un autre code',
      label: 'Code à six chiffres',
      help: 'Nous vous l’avons envoyé par WhatsApp. Il est valable cinq minutes.',
      button: (amount) => `Payer ${amount} avec mon solde`,
    },
  },
  reject: {
    summary: 'Je ne souhaite pas payer',
    text: 'La commande sera annulée et ce lien ne fonctionnera plus. Cette action est définitive.',
    button: 'Refuser et annuler la commande',
  },
  backTo: (company) => `Revenir chez ${company}`,
  leave: (company) => `Revenir chez ${company} sans payer`,
  help: 'Aide\u00a0:',
  terms: 'Conditions générales',

  card: {
    heading: 'Paiement par carte ou virement',
    loading:
      'Le formulaire sécurisé de la plateforme de paiement est en cours de chargement. Il nécessite JavaScript. Sans JavaScript, vous pouvez payer par mobile money ou avec votre solde.',
    trouble: 'Si aucun formulaire n’apparaît, la plateforme de paiement est peut-être surchargée. Rien n’a été débité.',
    back: 'Choisir un autre moyen de paiement',
  },

  processing: {
    heading: {
      card: 'Votre paiement est en cours de confirmation',
      mobile_money: 'Regardez votre téléphone',
      checking: 'Nous vérifions votre paiement',
    },
    card: 'Votre banque n’a pas encore confirmé le paiement. Cela peut prendre quelques minutes, ou davantage pour un virement.',
    mobile: (amount, lastDigits) =>
      `Nous avons envoyé une demande de ${amount} au téléphone dont le numéro se termine par ${lastDigits}. Validez-la sur ce téléphone. Cette page se met ensuite à jour automatiquement.`,
    lapse: (minuteCount) =>
      `Si la demande n’est pas validée dans un délai de ${minutes(minuteCount)}, elle devient caduque et vous pourrez choisir un autre moyen de paiement.`,
    checking:
      'La plateforme de paiement ne nous a pas encore répondu. Si vous avez terminé le paiement, attendez ici et ne payez pas une seconde fois.',
    refresh: 'Cette page se met à jour automatiquement. Vous pouvez la fermer\u00a0: votre paiement suit son cours.',
    again: 'Vérifier maintenant',
    back: 'Je n’ai pas payé\u00a0: choisir un moyen de paiement',
  },

  paid: {
    headings: {
      unpaid: 'Cette commande n’est pas encore payée',
      held: 'Merci. Votre paiement est effectué.',
      partly_sent: 'Une partie de votre commande a été expédiée',
      sent: 'Votre commande a été expédiée',
      partly_received: 'Vous avez reçu une partie de votre commande',
      received: 'Vous avez reçu votre commande',
      disputed: 'Un litige est en cours sur cette commande',
      taken_back: 'Votre paiement a été repris',
      released: 'Cette commande est terminée',
      divided: 'Cette commande est terminée',
      refunded: 'Votre argent vous a été rendu',
      never_paid: 'Cette commande a été annulée',
      returned: 'Cette commande a été annulée',
      resolved: 'Le litige sur cette commande est réglé',
    },
    where: {
      unpaid: () => 'Aucune somme n’est bloquée pour elle.',
      held: () => 'Votre argent est maintenant sous séquestre. Le vendeur le sait et peut expédier votre commande.',
      partly_sent: () =>
        'Le vendeur a signalé l’expédition d’une partie de votre commande. Votre argent reste sous séquestre.',
      sent: () => 'Le vendeur a signalé l’expédition de votre commande. Votre argent reste sous séquestre.',
      partly_received: () =>
        'Vous avez confirmé la réception d’une partie de votre commande. Votre argent reste sous séquestre.',
      received: () => 'Vous avez confirmé la réception de votre commande. Votre argent reste sous séquestre.',
      disputed: (company) =>
        `Votre argent reste bloqué jusqu’au règlement du litige. Une question\u00a0? Contactez ${company}.`,
      taken_back: (company) =>
        `Tant que cela n’est pas réglé, rien n’est libéré pour cette commande. Une question\u00a0? Contactez ${company}.`,
      released: () => 'L’argent a été versé au vendeur.',
      divided: () => 'L’argent a été réparti comme convenu.',
      refunded: () => 'La commande a pris fin comme convenu.',
      never_paid: () => 'Elle n’a jamais été payée\u00a0: aucun argent n’a été transféré.',
      returned: null,
      resolved: null,
    },
    releaseAt: (at) => `Il sera versé au vendeur le ${at}, sauf si vous signalez un problème avant cette date.`,
    stillHeld: (amount) => `${amount} sont encore sous séquestre.`,
    retryAt: (at) => `Le versement a été refusé. Il sera tenté à nouveau le ${at}.`,
    agreed: {
      mine: (amount) => `Comme convenu avec le vendeur, vous récupérez ${amount} de la somme sous séquestre.`,
      nothing: 'Comme convenu avec le vendeur, vous ne récupérez rien de la somme sous séquestre.',
      theirs: (amount) => `Le vendeur reçoit ${amount}.`,
      theyGetNothing: 'Le vendeur ne reçoit rien.',
      at: (at) =>
        at === null
          ? 'L’argent reste sous séquestre jusqu’à son versement.'
          : `Cela se fera le ${at}, sauf si vous signalez un problème avant cette date.`,
    },
    sellerGotNothing: 'Le vendeur n’a rien reçu.',
    partReleased: (amount) => `${amount} ont été versés au vendeur.`,
    partReturned: (amount, company) => `${amount} sont revenus sur votre solde chez ${company}.`,
    takenBack: (amount) => `${amount} de votre paiement ont été repris (contestation ou remboursement).`,
    settled: (amount) => `${amount} de la somme sous séquestre ont réglé cela.`,
    madeGood: 'Cela est réglé.',
    taken: (amount, company) => `${amount} de votre argent chez ${company} ont été prélevés pour cela.`,
    owed: (amount, company) => `Vous devez encore ${amount} à ${company} pour cela.`,
    other: (amount, company) => `${amount} de la somme sous séquestre ont réglé vos autres dettes chez ${company}.`,
    at: 'Payé le',
    method: 'Moyen de paiement',
    methods: { card: 'Carte ou virement', mobile_money: 'Mobile money', balance: 'Solde' },
    receipt: 'Numéro de reçu',
    download: 'Télécharger le reçu (PDF)',
  },
  expired: {
    heading: 'Ce lien de paiement a expiré',
    text: (company) =>
      `Il n’a pas été payé à temps et la commande a été annulée. Si vous la souhaitez toujours, demandez un nouveau lien à ${company}.`,
  },
  rejected: {
    heading: 'Vous avez annulé cette commande',
    text: (company) =>
      `Vous avez choisi de ne pas payer et ce lien ne fonctionne plus. S’il s’agit d’une erreur, demandez un nouveau lien à ${company}.`,
  },
  cancelled: {
    heading: 'Cette commande a été annulée',
    text: (company) =>
      `${company} a annulé la commande avant son paiement\u00a0: ce lien ne fonctionne plus. Un paiement qui arriverait encore vous sera rendu. Pour toute question, contactez ${company}.`,
  },
  lateMoney: (company) =>
    `L’argent destiné à cette commande est arrivé trop tard pour être utilisé. Il vous appartient et se trouve maintenant sur votre solde chez ${company}.`,

  receipt: {
    title: 'Reçu',
    testMode: 'MODE TEST – ce reçu ne correspond à aucun paiement réel',
    issued: 'Émis le',
    company: { tax: 'N° fiscal', registration: 'N° d’immatriculation' },
  },

  errors: {
    not_found: {
      title: 'Ce paiement est introuvable',
      text: 'Vérifiez que vous avez ouvert le lien en entier. S’il ne fonctionne toujours pas, demandez-en un nouveau à la personne qui vous l’a envoyé.',
    },
    busy: {
      title: 'Un instant, s’il vous plaît',
      text: 'Votre connexion a envoyé trop de demandes. Attendez une minute, puis rechargez cette page.',
    },
    unavailable: {
      title: 'Le service de paiement est momentanément indisponible',
      text: 'Rien n’est perdu\u00a0: si vous avez payé, votre paiement est en sécurité. Rechargez cette page dans une minute.',
    },
    invalid: {
      title: 'Cette page ne peut pas être ouverte ainsi',
      text: 'Ouvrez le lien de paiement que vous avez reçu, puis recommencez.',
    },
    failed: {
      title: 'Une erreur s’est produite de notre côté',
      text: 'Rien n’est perdu\u00a0: si vous avez payé, votre paiement est en sécurité. Rouvrez le lien de paiement dans une minute.',
    },
  },

  notices: {
    code_sent: 'Si vous ne recevez pas de code par WhatsApp dans la minute, demandez-en un autre.',
    otp_required: 'Saisissez le code à six chiffres que nous vous avons envoyé.',
    otp_invalid: 'Ce code est incorrect. Consultez le dernier message et réessayez.',
    otp_expired: 'Ce code a expiré. Demandez-en un autre.',
    otp_locked: 'Trop de codes incorrects ont été saisis. Demandez un autre code.',
    insufficient_funds: 'Votre solde est insuffisant. Choisissez un autre moyen de paiement.',
    account_frozen: 'Votre solde ne peut pas être utilisé pour le moment. Choisissez un autre moyen de paiement.',
    user_blacklisted: 'Ce paiement ne peut pas être accepté. Contactez l’entreprise qui vous a envoyé le lien.',
    phone_invalid:
      'Ce numéro de téléphone n’est pas valable. Saisissez-le en entier, par exemple 0771 234 567 ou +263 771 234 567.',
    too_many_requests: 'Trop de tentatives. Patientez un peu ou choisissez un autre moyen de paiement.',
    provider_unavailable:
      'Ce moyen de paiement est momentanément indisponible. Rien n’a été débité. Réessayez dans une minute ou choisissez un autre moyen de paiement.',
    dependency_unavailable:
      'Nous n’avons pas pu confirmer l’opération à temps. Elle peut encore aboutir\u00a0: consultez cette page dans une minute avant de réessayer.',
    declined:
      'Votre dernier paiement a été refusé et rien n’a été débité. Réessayez ou choisissez un autre moyen de paiement.',
    lapsed:
      'La demande envoyée à votre téléphone n’a pas été validée à temps et rien n’a été débité. Réessayez ou choisissez un autre moyen de paiement.',
  },
};
