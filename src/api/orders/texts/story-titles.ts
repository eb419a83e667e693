import type { EscrowEvent } from '../../../domain/escrow/commands.ts';
import type { Locale } from '../../../domain/locale.ts';

/** What the story of an order calls each event. */
const STORY_TITLES: Readonly<Record<EscrowEvent['type'], Readonly<Record<Locale, string>>>> = {
  INITIATED: { en: 'The order was placed', fr: 'La commande a été passée', pt: 'A encomenda foi feita' },
  FUNDED: { en: 'The buyer paid', fr: 'L’acheteur a payé', pt: 'O comprador pagou' },
  DELIVERY_NOTED: {
    en: 'The seller reported a delivery',
    fr: 'Le vendeur a signalé une expédition',
    pt: 'O vendedor comunicou um envio',
  },
  GOODS_RECEIVED: {
    en: 'The buyer confirmed receipt',
    fr: 'L’acheteur a confirmé la réception',
    pt: 'O comprador confirmou a receção',
  },
  MILESTONE_RELEASED: { en: 'A part was paid out', fr: 'Une partie a été versée', pt: 'Uma parte foi paga' },
  FUNDS_RELEASED: { en: 'The money was paid out', fr: 'L’argent a été versé', pt: 'O dinheiro foi pago' },
  AUTO_RELEASED: {
    en: 'The money was paid out on its date',
    fr: 'L’argent a été versé à la date prévue',
    pt: 'O dinheiro foi pago na data prevista',
  },
  RELEASE_BLOCKED: {
    en: 'The release was stopped and will be tried again',
    fr: 'Le versement a été arrêté et sera tenté à nouveau',
    pt: 'A entrega do dinheiro parou e será tentada de novo',
  },
  AUTO_RELEASE_EXTENDED: {
    en: 'The buyer postponed the release',
    fr: 'L’acheteur a reporté le versement',
    pt: 'O comprador adiou a entrega do dinheiro',
  },
  AUTO_RELEASE_STOPPED: {
    en: 'The buyer asked the merchant for something. Until that is answered, nothing is paid out automatically',
    fr: 'L’acheteur a adressé une demande au marchand. Jusqu’à sa réponse, rien n’est versé automatiquement',
    pt: 'O comprador fez um pedido ao comerciante. Até haver resposta, nada é pago automaticamente',
  },
  AUTO_RELEASE_RESUMED: {
    en: 'The buyer’s request no longer holds the money back',
    fr: 'La demande de l’acheteur ne retient plus l’argent',
    pt: 'O pedido do comprador já não retém o dinheiro',
  },
  NEGOTIATION_PROPOSED: {
    en: 'Another split was proposed',
    fr: 'Un autre partage a été proposé',
    pt: 'Foi proposta outra divisão',
  },
  NEGOTIATION_ACCEPTED: {
    en: 'The proposal was accepted',
    fr: 'La proposition a été acceptée',
    pt: 'A proposta foi aceite',
  },
  NEGOTIATION_REJECTED: {
    en: 'The proposal was rejected',
    fr: 'La proposition a été refusée',
    pt: 'A proposta foi recusada',
  },
  NEGOTIATION_LAPSED: { en: 'The proposal lapsed', fr: 'La proposition a expiré', pt: 'A proposta caducou' },
  DISPUTED: { en: 'A dispute was opened', fr: 'Un litige a été ouvert', pt: 'Foi aberto um litígio' },
  EVIDENCE_ADDED: { en: 'A message in the dispute', fr: 'Un message dans le litige', pt: 'Uma mensagem no litígio' },
  RESOLVED: {
    en: 'The merchant decided the dispute',
    fr: 'Le marchand a tranché le litige',
    pt: 'O comerciante decidiu o litígio',
  },
  CANCELLED: { en: 'The order was cancelled', fr: 'La commande a été annulée', pt: 'A encomenda foi cancelada' },
  CHARGED_BACK: {
    en: 'The payment was taken back',
    fr: 'Le paiement a été repris',
    pt: 'O pagamento foi retirado',
  },
  CHARGEBACK_REVERSED: { en: 'The payment came back', fr: 'Le paiement est revenu', pt: 'O pagamento voltou' },
};

type StoryTitles = Readonly<Record<EscrowEvent['type'], string>>;

export function storyTitles(locale: Locale): StoryTitles {
  return Object.fromEntries(
    Object.entries(STORY_TITLES).map(([type, titles]) => [type, titles[locale]]),
  ) as StoryTitles; // of each type
}
